import { defined } from '../../exact/defined.ts';
import { NAME } from './names.ts';
import type { Counter } from './notes.ts';
import type { Survey } from './survey.ts';

/** The body of a text has this share of the prose, and this share of all text. */
const LEAST_PROSE = 0.6;
const LEAST_TEXT = 0.5;
/** At most this share of the prose is before it. More is a lead, and belongs to the text. */
const MOST_BEFORE = 0.03;
const CONTAINERS = new Set(['DIV', 'SECTION', 'ARTICLE', 'MAIN']);
const QUESTION_TAGS = new Set('H2 H3 H4 H5 H6 SUMMARY DT'.split(' '));
/** The question marks of Latin and Cyrillic, of Chinese and Japanese, of Arabic and Persian, and of Greek. */
const QUESTION = /[?？؟;\u037e]\s*$/u;
const LEAST_QUESTIONS = 2;
const MAX_QUESTION_CHARACTERS = 300;

/**
 * Index of the element with the body of a text, without the sections after it: teasers of other pages, offers, notes about
 * the author. `root` itself if the text continues in these sections: in elements of the same class, or with answers to
 * expected questions. Notes stay with the text.
 */
export function findTextBody(survey: Survey, root: number, notesIn: Counter): number {
  const notes = notesIn(root);
  const { prose, text } = survey;
  const least = { prose: defined(prose[root]) * LEAST_PROSE, text: defined(text[root]) * LEAST_TEXT };
  let mayPrecede = defined(prose[root]) * MOST_BEFORE;
  let at = root;
  for (;;) {
    const children = childrenOf(survey, at);
    const place = children.findIndex(
      (child) =>
        CONTAINERS.has(survey.nameAt(child)) &&
        defined(prose[child]) >= least.prose &&
        defined(text[child]) >= least.text &&
        notesIn(child) === notes,
    );
    if (place < 0) return at;
    const body = defined(children[place]);
    for (const child of children.slice(0, place)) mayPrecede -= defined(prose[child]);
    const after = children.slice(place + 1).filter((child) => prose[child] !== 0);
    if (mayPrecede < 0 || after.some((part) => isOfClass(survey, part, body) || answersQuestions(survey, part)))
      return at;
    at = body;
  }
}

function childrenOf({ ends, dropped }: Survey, index: number): readonly number[] {
  const children: number[] = [];
  for (let child = index + 1; child < defined(ends[index]); child = defined(ends[child])) {
    if (dropped[child] !== 1) children.push(child);
  }
  return children;
}

/** Whether an element has the same classes as another one, which has some. */
export function isOfClass({ elements }: Survey, index: number, other: number): boolean {
  const { classes } = defined(elements[other]);
  return classes !== '' && classes === defined(elements[index]).classes;
}

function answersQuestions({ elements, ends, names, text, dropped }: Survey, part: number): boolean {
  let questions = 0;
  for (let index = part; index < defined(ends[part]); index += 1) {
    if (dropped[index] === 1) continue;
    if ((defined(names[index]) & NAME.questions) !== 0) return true;
    const node = defined(elements[index]);
    const mayAsk = QUESTION_TAGS.has(node.nodeName) && defined(text[index]) <= MAX_QUESTION_CHARACTERS;
    if (mayAsk && QUESTION.test(node.textContent)) questions += 1;
    if (questions === LEAST_QUESTIONS) return true;
  }
  return false;
}

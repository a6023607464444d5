import { defined } from '../../exact/defined.ts';
import type { PageKind } from '../metadata/page-kind.ts';
import { isHeading } from './elements.ts';
import { NAME } from './names.ts';
import { type Counter, counterOfNotes } from './notes.ts';
import type { Survey } from './survey.ts';
import { findTextBody, isOfClass } from './text-body.ts';

/** An element that is named as main content is believed if it has this share of the page's content and of its prose. */
const LEAST_OF_PAGE = 0.35;
/** Articles outside an article with more than this share of its content make it one of several. */
const MOST_OF_OTHERS = 0.5;
/** An element with this share of another one's content can replace it: it has less besides. */
const NEARLY_ALL = 0.8;
/** It also has this share of the text. Links are text, but not content. */
const MOST_TEXT = 0.7;
/** In an article, the element with this share of the prose has the text, and most of the rest is about it. */
const NEARLY_ALL_PROSE = 0.9;
const LEAST_TEXT = 0.6;
/** Characters of prose that are enough to tell where the text of such a page is. */
const LEAST_PROSE: ReadonlyMap<PageKind, number> = new Map([
  ['article', 1000],
  ['product', 200],
]);
/** A paragraph of an introduction directly below the title is longer, or a shorter sentence. Shorter ones are dates and authors. */
const LEAST_LEAD = 60;
const LEAST_SENTENCE = 30;
const SENTENCE_END = /[.!?:。！？]\s*$/;
const CONTAINERS = new Set(['DIV', 'SECTION', 'ARTICLE', 'MAIN']);

/** Index of the element with the main content of a page whose frame was dropped. 0, the whole page, if there is none. */
export function findMainContent(survey: Survey, kind: PageKind): number {
  const notesIn = counterOfNotes(survey);
  const root = narrow(survey, findNamed(survey), kind, notesIn);
  const least = LEAST_PROSE.get(kind);
  return least !== undefined && defined(survey.prose[root]) >= least
    ? findTextBody(survey, narrowToProse(survey, root, notesIn), notesIn)
    : root;
}

/** The element with the most content of those that are named as main content. */
function findNamed(survey: Survey): number {
  const { elements, names, content, prose, dropped } = survey;
  const least = defined(content[0]) * LEAST_OF_PAGE;
  const leastProse = defined(prose[0]) * LEAST_OF_PAGE;
  const inArticles = countInArticles(survey);
  let best = 0;
  for (let index = 1; index < elements.length; index += 1) {
    if ((defined(names[index]) & NAME.main) === 0 || dropped[index] === 1) continue;
    const own = defined(content[index]);
    if (own < least || defined(prose[index]) < leastProse) continue;
    // One article of a list or of a thread.
    if (survey.nameAt(index) === 'ARTICLE' && inArticles - own > own * MOST_OF_OTHERS) continue;
    if (best === 0 || own > defined(content[best])) best = index;
  }
  return best;
}

/** Content of the outermost articles. */
function countInArticles(survey: Survey): number {
  const { elements, ends, content, dropped } = survey;
  let sum = 0;
  for (let index = 1; index < elements.length; ) {
    const isArticle = dropped[index] !== 1 && survey.nameAt(index) === 'ARTICLE';
    if (isArticle) sum += defined(content[index]);
    index = isArticle ? defined(ends[index]) : index + 1;
  }
  return sum;
}

/** The innermost container with nearly all content. Prose before it is never left out: it is a lead, or a question. */
function narrow(survey: Survey, root: number, kind: PageKind, notesIn: Counter): number {
  const leadsBefore = kind === 'other' ? counterOfLeads(survey) : () => 0;
  const leads = leadsBefore(root);
  const notes = notesIn(root);
  const { text, content, prose, proseBefore } = survey;
  const codeIn = kind === 'other' ? counterOfCode(survey) : () => 0;
  const code = codeIn(root);
  const least = defined(content[root]) * NEARLY_ALL;
  const leastProse = defined(prose[root]) * NEARLY_ALL;
  const leastText = defined(text[root]) * MOST_TEXT;
  if (least === 0) return root;
  return innermost(
    survey,
    root,
    (index) =>
      defined(content[index]) >= least &&
      defined(prose[index]) >= leastProse &&
      defined(text[index]) >= leastText &&
      proseBefore[index] === proseBefore[root] &&
      notesIn(index) === notes &&
      codeIn(index) === code &&
      (leadsBefore(index) === 0 || leadsBefore(index) === leads) &&
      !(kind === 'other' && isOneOfParts(survey, index)),
  );
}

/** Counts the paragraphs of an introduction before an element, since the last first-level heading. */
function counterOfLeads({ elements, text, linked, dropped }: Survey): Counter {
  const before: number[] = [];
  let count = 0;
  let isBelowTitle = true;
  for (let index = 0; index < elements.length; index += 1) {
    const node = defined(elements[index]);
    before.push(count);
    if (dropped[index] === 1) continue;
    if (node.nodeName === 'H1') count = 0;
    if (isHeading(node.nodeName)) isBelowTitle = node.nodeName === 'H1';
    const own = defined(text[index]);
    if (node.nodeName !== 'P' || own <= 2 * defined(linked[index])) continue;
    const isShort = own < LEAST_LEAD && !(own >= LEAST_SENTENCE && SENTENCE_END.test(node.textContent));
    if (!isBelowTitle || !isShort) count += 1;
  }
  return (index) => defined(before[index]);
}

/** Counts the code blocks in an element. */
function counterOfCode({ elements, ends, dropped }: Survey): Counter {
  const blocks: number[] = [];
  for (let index = 0; index < elements.length; index += 1) {
    if (defined(elements[index]).nodeName === 'PRE' && dropped[index] !== 1) blocks.push(index);
  }
  return (index) => blocks.filter((block) => block >= index && block < defined(ends[index])).length;
}

/**
 * Whether headings below the first level are beside an element, or, for a section, in a section before it, or in one of the
 * same class.
 */
function isOneOfParts(survey: Survey, index: number): boolean {
  const { parents, ends, text, dropped } = survey;
  const parent = defined(parents[index]);
  const isSection = survey.nameAt(index) === 'SECTION';
  for (let at = parent + 1; at < defined(ends[parent]); at = defined(ends[at])) {
    if (dropped[at] === 1 || text[at] === 0) continue;
    if (isPartHeading(survey, at)) return true;
    const mayBePart = isSection && survey.nameAt(at) === 'SECTION' && (at < index || isOfClass(survey, at, index));
    if (mayBePart && at !== index && holdsPartHeading(survey, at)) return true;
  }
  return false;
}

function holdsPartHeading(survey: Survey, index: number): boolean {
  const end = defined(survey.ends[index]);
  for (let at = index + 1; at < end; at += 1) if (survey.dropped[at] !== 1 && isPartHeading(survey, at)) return true;
  return false;
}

/** Whether an element is a heading below the first level that is not a link. */
function isPartHeading(survey: Survey, index: number): boolean {
  const name = survey.nameAt(index);
  return isHeading(name) && name !== 'H1' && defined(survey.text[index]) > 2 * defined(survey.linked[index]);
}

/** The innermost container with nearly all prose: without author, date, pictures and lists of links around it. */
function narrowToProse(survey: Survey, root: number, notesIn: Counter): number {
  const notes = notesIn(root);
  const { text, prose } = survey;
  const leastProse = defined(prose[root]) * NEARLY_ALL_PROSE;
  const leastText = defined(text[root]) * LEAST_TEXT;
  return innermost(
    survey,
    root,
    (index) => defined(prose[index]) >= leastProse && defined(text[index]) >= leastText && notesIn(index) === notes,
  );
}

function innermost(survey: Survey, root: number, isAsGood: (index: number) => boolean): number {
  const { ends, dropped } = survey;
  let at = root;
  for (let index = root + 1; index < defined(ends[at]); ) {
    const isBetter = dropped[index] !== 1 && CONTAINERS.has(survey.nameAt(index)) && isAsGood(index);
    if (isBetter) at = index;
    index = isBetter ? index + 1 : defined(ends[index]);
  }
  return at;
}

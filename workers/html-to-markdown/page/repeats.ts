import { defined } from '../../exact/defined.ts';
import { isBlock, isHeading } from './elements.ts';
import { Part } from './part.ts';
import { ALL_KINDS, type Rule } from './rule.ts';
import type { Survey } from './survey.ts';

/** Shorter text and headings may be repeated, but not twice in a row. */
const LEAST_CHARACTERS = 40;
const LEAST_IN_A_ROW = 8;
/** Words of classes that tell the rows of a list apart. */
const STRIPES = /(?:\b|_)(?:odd|even|alt|first|last|active)(?:\b|_)|\d+/gi;
/** Titles besides headings. */
const TITLES = new Set(['SUMMARY', 'DT']);
/** Characters of the sign of a link to a title. */
const MAX_SIGN = 2;
/** Elements whose content may be repeated. */
const LITERAL = new Set(['PRE', 'TABLE']);

/**
 * Text that occurred earlier on the page in another place. Pages have the same text for wide and for narrow screens, and answers
 * quote earlier posts. The same text in the same place of the structure is content: a refrain, a row of a pattern.
 */
export const repeats: Rule = {
  name: 'repeat',
  kinds: ALL_KINDS,
  begin({ survey }) {
    const { text } = survey;
    const seen: Seen = new Map();
    /** The titles above the blocks that were seen. */
    const titles = new Map<number, number>();
    let last = -1;
    let title = -1;
    let earlier: number | undefined;
    return {
      find(index) {
        const name = survey.nameAt(index);
        if (LITERAL.has(name)) {
          last = -1;
          return 'past';
        }
        const characters = defined(text[index]);
        if (characters > 0 && (isHeading(name) || TITLES.has(name))) title = index;
        if (characters < LEAST_IN_A_ROW || !isBlock(name) || holdsBlock(survey, index)) return 'into';
        const isLong = characters >= LEAST_CHARACTERS && !isHeading(name);
        const before = last >= 0 && isSame(survey, last, index) ? last : undefined;
        earlier = isLong ? (earlierOf(survey, index, seen) ?? before) : before;
        last = index;
        titles.set(index, title);
        return earlier === undefined ? 'past' : new Part(survey, [index]);
      },
      isFrame: () => true,
      isContent({ start }) {
        if (earlier === undefined || isLink(survey, start)) return false;
        const [above, own] = [titles.get(earlier) ?? -1, titles.get(start) ?? -1];
        const hasOther = above >= 0 && own >= 0 && own !== start && !isSame(survey, above, own);
        const areBelow = hasOther && isDirectlyBelow(survey, earlier, above) && isDirectlyBelow(survey, start, own);
        const isElsewhere = areBelow || (hasOther && pathOf(survey, earlier) === pathOf(survey, start));
        return isElsewhere || isAlike(survey, earlier, start);
      },
    };
  },
};

/** The elements that were seen, by the characters of their text: the only one of a length, or all by their words. */
type Seen = Map<number, number | Map<string, number>>;

/** Finds the first element with the same words. If there is none, it remembers this one. Most texts differ in their length. */
function earlierOf({ elements, text }: Survey, index: number, seen: Seen): number | undefined {
  const wordsAt = (at: number) => defined(elements[at]).textContent.trim();
  const characters = defined(text[index]);
  const known = seen.get(characters);
  if (known === undefined) {
    seen.set(characters, index);
    return undefined;
  }
  const ofWords = typeof known === 'number' ? new Map([[wordsAt(known), known]]) : known;
  seen.set(characters, ofWords);
  const words = wordsAt(index);
  const earlier = ofWords.get(words);
  if (earlier === undefined) ofWords.set(words, index);
  return earlier;
}

function isSame({ elements, text }: Survey, one: number, other: number): boolean {
  if (text[one] !== text[other]) return false;
  return defined(elements[one]).textContent.trim() === defined(elements[other]).textContent.trim();
}

/** Whether there is no other text between a title and an element. */
function isDirectlyBelow({ before, text }: Survey, index: number, title: number): boolean {
  return defined(before[index]) - defined(before[title]) <= defined(text[title]) + MAX_SIGN;
}

/** The tags of an element and of those around it. */
function pathOf(survey: Survey, index: number): string {
  let path = '';
  for (let at = index; at > 0; at = defined(survey.parents[at])) path += `${survey.nameAt(at)}>`;
  return path;
}

/** Whether two elements have the same tag, and they and the elements around them have the same classes. */
function isAlike(survey: Survey, one: number, other: number): boolean {
  return survey.nameAt(one) === survey.nameAt(other) && shapeOf(survey, one) === shapeOf(survey, other);
}

/** The classes of an element and of those around it. Two quotes of the same words are different places. */
function shapeOf({ elements, parents }: Survey, index: number): string {
  let shape = '';
  for (let at = index; at > 0; at = defined(parents[at])) {
    const { nodeName, classes } = defined(elements[at]);
    if (nodeName === 'BLOCKQUOTE') shape += `${at}\n`;
    else if (classes !== '') shape += `${classes.replace(STRIPES, '').trim().replace(/\s+/g, ' ')}\n`;
  }
  return shape;
}

/** Whether most of the text of an element is a link: the title of another page. */
function isLink({ text, linked }: Survey, index: number): boolean {
  return defined(linked[index]) > defined(text[index]) / 2;
}

function holdsBlock(survey: Survey, index: number): boolean {
  const end = defined(survey.ends[index]);
  for (let inside = index + 1; inside < end; inside += 1) if (isBlock(survey.nameAt(inside))) return true;
  return false;
}

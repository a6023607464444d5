import { defined } from '../../exact/defined.ts';
import { isBlock, isHeading } from './elements.ts';
import type { Survey } from './survey.ts';

/** Shorter text and headings may be repeated, but not twice in a row. */
const LEAST_CHARACTERS = 40;
const LEAST_IN_A_ROW = 8;
/** Elements whose content may be repeated. */
const LITERAL = new Set(['PRE', 'TABLE']);

/**
 * Drops text that occurred earlier on the page in another place. Pages have the same text for wide and for narrow screens, and
 * answers quote earlier posts. The same text in the same place of the structure is content: a refrain, a row of a pattern.
 */
export function dropRepeats(survey: Survey, root: number): void {
  const { elements, ends, text, dropped } = survey;
  const seen: Seen = new Map();
  let last = -1;
  const end = defined(ends[root]);
  for (let index = root; index < end; ) {
    const node = defined(elements[index]);
    if (dropped[index] === 1 || LITERAL.has(node.nodeName)) {
      // Dropped text does not separate two texts, but a table or code does.
      if (dropped[index] !== 1) last = -1;
      index = defined(ends[index]);
      continue;
    }
    const characters = defined(text[index]);
    if (characters < LEAST_IN_A_ROW || !isBlock(node.nodeName) || holdsBlock(survey, index)) {
      index += 1;
      continue;
    }
    const isLong = characters >= LEAST_CHARACTERS && !isHeading(node.nodeName);
    const before = last >= 0 && isSame(survey, last, index) ? last : undefined;
    const earlier = isLong ? (earlierOf(survey, index, seen) ?? before) : before;
    last = index;
    if (earlier !== undefined && (isLink(survey, index) || !isAlike(survey, earlier, index))) survey.drop(index);
    index = defined(ends[index]);
  }
}

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
    else if (classes !== '') shape += `${classes}\n`;
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

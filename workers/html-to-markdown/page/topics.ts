import { defined } from '../../exact/defined.ts';
import type { TreeNode } from '../parse/tree.ts';
import { isBlock, isHeading } from './elements.ts';
import { NAME, OF_FRAME } from './names.ts';
import { signsIn } from './signs.ts';
import type { Survey } from './survey.ts';

/** A main element or an article with this share of the content of a page holds its topics. */
const LEAST_OF_PAGE = 0.35;
/** A part with at least this share of its text in links, besides its heading, leads to other pages. */
const LEAST_LINKED = 0.5;
/** Elements between a part and its heading that are looked at. */
const MAX_STEPS = 20;
/** Elements whose text is one line or paragraph. */
const LINES = new Set('P LI DT DD TD TH H1 H2 H3 H4 H5 H6 FIGCAPTION CAPTION SUMMARY'.split(' '));
/** Elements that do not name themselves as part of the frame by their tag. */
const NAMED_BY_TAG = new Set(['NAV', 'HEADER', 'FORM']);
const QUOTES = new Set(['BLOCKQUOTE', 'FIGURE']);

/** A part of a page: elements in document order, and the heading that it begins with. */
export interface Part {
  /** Index of the first element, and the index after the last one inside. */
  readonly start: number;
  readonly end: number;
  /** -1 if it begins with other text. */
  readonly heading: number;
  readonly text: number;
  readonly linked: number;
}

/** Index of the element that holds the topics of a page: its only main element, or the only article in it. 0 if it has none. */
export function findRegion(survey: Survey): number {
  const main = onlyOne(survey, 0, (index) => survey.nameAt(index) !== 'ARTICLE');
  const article = onlyOne(survey, Math.max(0, main), (index) => survey.nameAt(index) === 'ARTICLE');
  return article > 0 ? article : Math.max(0, main);
}

/** Finds the only outermost main element of a kind in `root` that has much of its content. Returns -1 if there is none, or several. */
function onlyOne(
  { elements, ends, names, content, dropped }: Survey,
  root: number,
  isOfKind: (index: number) => boolean,
): number {
  const least = defined(content[root]) * LEAST_OF_PAGE;
  let found = -1;
  for (let index = root + 1; index < defined(ends[root]); ) {
    const isMain = (defined(names[index]) & NAME.main) !== 0 && isStated(defined(elements[index]));
    const isFound = isMain && dropped[index] !== 1 && content[index] !== 0 && isOfKind(index);
    if (isFound && found >= 0) return -1;
    if (isFound) found = index;
    index = isFound ? defined(ends[index]) : index + 1;
  }
  return found >= 0 && defined(content[found]) >= least ? found : -1;
}

function isStated(node: TreeNode): boolean {
  return node.nodeName === 'MAIN' || node.nodeName === 'ARTICLE' || node.getAttribute('role') === 'main';
}

/**
 * Whether an element that is named like a part of the frame is about what it is named after: "Cookies" in a privacy policy.
 * Then it is among the content of the page, and holds text like other parts of the content.
 */
export function isTopic(survey: Survey, index: number, region: number): boolean {
  const { elements, ends, names } = survey;
  const name = survey.nameAt(index);
  const bits = defined(names[index]);
  if (isInLine(survey, index)) return true;
  const isFromId = (bits & NAME.fromId) !== 0;
  const isInRegion = region > 0 && index > region && index < defined(ends[region]);
  const isTitle = isHeading(name) || name === 'DT';
  if (isTitle && (isFromId || (isInRegion && isAmongText(survey, index, -1)))) return true;
  const isBeside = (bits & NAME.beside) !== 0 && (bits & OF_FRAME) === 0;
  if ((bits & NAME.beside) !== 0 && isQuoted(survey, index)) return true;
  if (NAMED_BY_TAG.has(name) || (!isBeside && defined(elements[index]).getAttribute('role') !== null)) return false;
  const part = partAt(survey, index);
  if (leadsAway(survey, part) || (name === 'FOOTER' && (part.heading >= 0 || !isInRegion))) return false;
  if (isBeside || isFromId || part.heading >= 0) {
    return isInRegion || (region === 0 && isAmongText(survey, index, part.heading));
  }
  if (isInRegion && (bits & (NAME.comments | NAME.reviews)) === 0 && holdsLiterals(survey, part)) return true;
  // Layouts use the same words for their columns. This one is in a section.
  return (bits & OF_FRAME) === NAME.weakFrame && isInRegion && isAmongText(survey, index, part.heading);
}

/** Whether an element is in a quote, a figure or an item: a source or a signature. */
function isQuoted({ parents, elements }: Survey, index: number): boolean {
  let at = defined(parents[index]);
  for (let steps = 0; steps < MAX_STEPS && at > 0; steps += 1, at = defined(parents[at])) {
    if (QUOTES.has(defined(elements[at]).nodeName)) return true;
  }
  return false;
}

/** Whether an element stands beside text, or beside parts with headings of its rank. Columns stand beside other columns. */
function isAmongText(survey: Survey, index: number, heading: number): boolean {
  const { parents, ends } = survey;
  const parent = defined(parents[index]);
  const end = defined(ends[parent]);
  let steps = 0;
  for (let at = parent + 1; at < end && steps < MAX_STEPS; at = defined(ends[at]), steps += 1) {
    if (at !== index && isText(survey, at, heading)) return true;
  }
  return false;
}

function isText(survey: Survey, index: number, heading: number): boolean {
  const { text, linked, names } = survey;
  const name = survey.nameAt(index);
  if (name === 'P' || isHeading(name)) return defined(text[index]) > 2 * defined(linked[index]);
  if (heading < 0 || (defined(names[index]) & (OF_FRAME | NAME.beside | NAME.header)) !== 0) return false;
  const other = headingAt(survey, index);
  return other >= 0 && survey.nameAt(other) === survey.nameAt(heading);
}

/** Whether an element is a part of a sentence or of a line of text. */
function isInLine(survey: Survey, index: number): boolean {
  const { parents, text } = survey;
  const name = survey.nameAt(index);
  if (isBlock(name) || name === 'A') return false;
  const parent = defined(parents[index]);
  return parent > 0 && LINES.has(survey.nameAt(parent)) && defined(text[parent]) > defined(text[index]);
}

/** An element as a part of a page. */
export function partAt(survey: Survey, index: number): Part {
  const { ends, text, linked } = survey;
  const heading = headingAt(survey, index);
  return {
    start: index,
    end: defined(ends[index]),
    heading,
    text: defined(text[index]),
    linked: defined(linked[index]),
  };
}

/** Index of the heading that an element begins with, or -1. */
export function headingAt(survey: Survey, index: number): number {
  const { ends, before } = survey;
  const end = Math.min(defined(ends[index]), index + MAX_STEPS);
  for (let at = index; at < end && before[at] === before[index]; at += 1) if (isHeading(survey.nameAt(at))) return at;
  return -1;
}

/** Whether a part is code or data: it has code or tables, no fields or dates, and is no list of links. */
export function holdsLiterals(survey: Survey, { start, end, text, linked }: Part): boolean {
  const { ofFrame, ofContent } = signsIn(survey, start, end);
  return ofContent && !ofFrame && linked < text * LEAST_LINKED;
}

/** Whether a part has signs of a frame: links rather than text, fields, controls, posts. A part without text has them too. */
export function leadsAway(survey: Survey, part: Part, leastLinked = LEAST_LINKED): boolean {
  const { start, end, heading } = part;
  const { ofFrame, ofContent } = signsIn(survey, start, end);
  if (ofFrame || ofContent) return !ofContent;
  const [ownText, ownLinked] = heading < 0 ? [0, 0] : [defined(survey.text[heading]), defined(survey.linked[heading])];
  const text = part.text - ownText;
  return text === 0 || part.linked - ownLinked >= text * leastLinked;
}

import { defined } from '../../exact/defined.ts';
import { ELEMENT, TEXT, type TreeNode } from '../parse/tree.ts';
import { isAsideHeading } from './aside-words.ts';
import { isBlock, isHeading } from './elements.ts';
import { holdsMedia } from './media.ts';
import { NAME, namesOf, OF_FRAME } from './names.ts';
import { headingAt, type Part } from './part.ts';
import type { Survey } from './survey.ts';

/** A main element or an article with this share of the content of a page holds its topics. */
const LEAST_OF_PAGE = 0.35;
/** A part that only a word of its class names as frame leads away with this share of its text in links. */
const LEAST_LINKED = 0.15;
/** Elements around a part, or beside it, that are looked at. */
const MAX_STEPS = 20;
const MAX_SHORT_CHARACTERS = 200;
const MAX_LABEL_CHARACTERS = 60;
/** Elements whose text is one line or paragraph. */
const LINES = new Set('P LI DT DD TD TH H1 H2 H3 H4 H5 H6 FIGCAPTION CAPTION SUMMARY'.split(' '));
/** Elements that do not name themselves as part of the frame by their tag. */
const NAMED_BY_TAG = new Set(['NAV', 'HEADER', 'FORM']);
const QUOTES = new Set(['BLOCKQUOTE', 'FIGURE']);

/** Index of the element that holds the topics of a page: its only main element, or the only article in it. 0 if it has none. */
export function findRegion(survey: Survey): number {
  const main = onlyOne(survey, 0, (index) => survey.nameAt(index) !== 'ARTICLE');
  const article = onlyOne(survey, Math.max(0, main), (index) => survey.nameAt(index) === 'ARTICLE');
  return article > 0 ? article : Math.max(0, main);
}

/** Finds the only outermost main element of a kind in `root` that has much of its content. Returns -1 if there is none, or several. */
function onlyOne(
  { ends, names, content, dropped }: Survey,
  root: number,
  isOfKind: (index: number) => boolean,
): number {
  const least = defined(content[root]) * LEAST_OF_PAGE;
  let found = -1;
  for (let index = root + 1; index < defined(ends[root]); ) {
    const isMain = (defined(names[index]) & NAME.main) !== 0;
    const isFound = isMain && dropped[index] !== 1 && content[index] !== 0 && isOfKind(index);
    if (isFound && found >= 0) return -1;
    if (isFound) found = index;
    index = isFound ? defined(ends[index]) : index + 1;
  }
  return found >= 0 && defined(content[found]) >= least ? found : -1;
}

/**
 * Whether an element that is named like a part of the frame is about what it is named after: "Cookies" in a privacy policy.
 * Then it is among the content of the page, and holds text like other parts of the content.
 */
export function isTopic(survey: Survey, part: Part, region: number, isInCore: (part: Part) => boolean): boolean {
  const { elements, ends, names } = survey;
  const index = part.start;
  const name = survey.nameAt(index);
  const bits = defined(names[index]);
  if (isInLine(survey, index)) return true;
  const isFromId = (bits & NAME.fromId) !== 0;
  const isInRegion = region > 0 && index > region && index < defined(ends[region]);
  if (part.text === 0) return (isInRegion || region === 0) && holdsMedia(survey, part);
  const isTitle = isHeading(name) || name === 'DT';
  if (isTitle && (isFromId || (isInRegion && isAmongText(survey, index, -1)))) return true;
  const isBeside = (bits & NAME.beside) !== 0 && (bits & OF_FRAME) === 0;
  if ((bits & NAME.beside) !== 0 && isQuoted(survey, index)) return true;
  if (NAMED_BY_TAG.has(name) || (!isBeside && defined(elements[index]).getAttribute('role') !== null)) return false;
  if (part.leadsAway() || isOneOfPosts(survey, part)) return false;
  if (name === 'FOOTER' && (part.heading >= 0 || !isInRegion)) return false;
  const isShort = part.prose === 0 && part.text <= MAX_SHORT_CHARACTERS;
  const isInContent =
    isInRegion ||
    (region === 0 && ((isShort && part.linked === 0 && isInCore(part)) || isAmongText(survey, index, part.heading)));
  if (!isInContent) return false;
  if (isBeside || isFromId || part.heading >= 0) return true;
  const isSure = (isShort && hasWordsForLinks(survey, part)) || !part.leadsAway({ leastLinked: LEAST_LINKED });
  return isSure && !isAsideHeading(labelOf(survey, part));
}

/** The first line of a part: its first block without another block before its text. '' if it is long. */
function labelOf({ elements, before, text }: Survey, { start, end }: Part): string {
  let label = '';
  for (let index = start; index < end && before[index] === before[start]; index += 1) {
    const characters = defined(text[index]);
    if (characters > 0 && characters <= MAX_LABEL_CHARACTERS) label = defined(elements[index]).textContent;
  }
  return label;
}

/** Whether a part that is named as comments or reviews has several of them one after the other, or is one of these. */
function isOneOfPosts({ elements, names }: Survey, { start, end }: Part): boolean {
  const kind = defined(names[start]) & (NAME.comments | NAME.reviews);
  if (kind === 0) return false;
  const isPost = (node: TreeNode | null) =>
    node !== null && (namesOf(node) & kind) !== 0 && isBlock(node.nodeName) && node.firstChild !== null;
  for (let index = start; index < end; index += 1) {
    if ((defined(names[index]) & kind) === 0) continue;
    const node = defined(elements[index]);
    if (!isPost(node)) continue;
    if (isPost(elementBeside(node, 'nextSibling'))) return true;
    // Posts before it may have been dropped.
    if (index === start && isPost(elementBeside(node, 'previousSibling'))) return true;
  }
  return false;
}

/** The nearest element beside another one that is not empty, within a few steps. */
function elementBeside(node: TreeNode, direction: 'nextSibling' | 'previousSibling'): TreeNode | null {
  let at = node[direction];
  for (let steps = 0; steps < MAX_STEPS && at !== null; steps += 1, at = at[direction]) {
    if (at.nodeType === ELEMENT && at.firstChild !== null) return at;
  }
  return null;
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

/** Whether every link of a part is a word of a sentence. */
function hasWordsForLinks({ elements }: Survey, { start, end }: Part): boolean {
  for (let index = start; index < end; index += 1) {
    const node = defined(elements[index]);
    if (node.nodeName === 'A' && !isBesideText(node)) return false;
  }
  return true;
}

/** Whether there is text directly before an element or after it. */
export function isBesideText({ previousSibling, nextSibling }: TreeNode): boolean {
  return [previousSibling, nextSibling].some(
    (node) => node !== null && node.nodeType === TEXT && node.trimmedLength > 1,
  );
}

/** Whether an element is a part of a sentence or of a line of text. */
function isInLine(survey: Survey, index: number): boolean {
  const { parents, text } = survey;
  const name = survey.nameAt(index);
  if (isBlock(name) || (name === 'A' && !isBesideText(defined(survey.elements[index])))) return false;
  const parent = defined(parents[index]);
  return parent > 0 && LINES.has(survey.nameAt(parent)) && defined(text[parent]) > defined(text[index]);
}

import { nextOutside, TEXT, type TreeNode } from '../parse/tree.ts';
import { isUserAttribute } from './author-marks.ts';
import { readText } from './plain-text.ts';

/** Longer text is not a name. */
const MAX_MARK_CHARACTERS = 300;
const MAX_STEPS = 30;
const MAX_STEPS_BACK = 4;
const LABEL_ONLY = /(?:^|\s)by\s*:?$/i;
const JOINS_NEXT = /(?:,|&|\band)$/i;
const JOINS = /^(?:,|&|,?\s*and)$/i;

/** Text before "by" that names no author: of the page's making, or of its pictures. */
const OTHER_WORK =
  /\b(?:theme|themes|design|designed|template|powered|built|made|developed|website|site|hosted|photos?|photographs?|images?|pictures?|illustrations?|illustrated|sponsored|presented|sold|shipped|translated)\s*:?$/i;

/** Whether the text before a credit says that it is not of the author: "Theme" in "Theme by". */
export function isOtherWork(credit: TreeNode): boolean {
  let at: TreeNode | null = credit;
  for (let steps = 0; steps < MAX_STEPS_BACK && at !== null; steps += 1) {
    const before: TreeNode | null = at.previousSibling;
    const text = before === null ? '' : (before.nodeType === TEXT ? before.data : readMark(before)).trim();
    if (text !== '') return OTHER_WORK.test(text);
    at = before ?? at.parentNode;
  }
  return false;
}

/** Text that begins with "By" or the like. If it is only a label, the name after it is added, and further names after "and". */
export function creditAt(node: TreeNode): string {
  let text = node.data.trim();
  let isUnfinished = LABEL_ONLY.test(text) || JOINS_NEXT.test(text);
  let at: TreeNode | null = node;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    at = at.firstChild ?? nextOutside(at, null);
    if (at === null) break;
    const piece = at.nodeType === TEXT ? at.data.trim() : '';
    if (piece === '') continue;
    if (!isUnfinished && !JOINS.test(piece)) break;
    text += piece.startsWith(',') ? piece : ` ${piece}`;
    isUnfinished = JOINS_NEXT.test(piece);
  }
  return text;
}

/** The name of a microdata item: its property `name`, or the text of its first link, or its own text. */
export function nameOfItem(item: TreeNode): string {
  const content = item.getAttribute('content');
  if (content !== null) return content;
  let link: TreeNode | null = null;
  let steps = 0;
  for (const node of item.descendants()) {
    if (steps === MAX_STEPS) break;
    steps += 1;
    if (node.getAttribute('itemprop') === 'name') return node.getAttribute('content') ?? readMark(node);
    if (node.nodeName === 'A') link ??= node;
  }
  return readMark(link ?? item);
}

export function nameOfUser(node: TreeNode): string {
  return node.attributes.find(({ name }) => isUserAttribute(name))?.value ?? nameOfItem(node);
}

export function readMark(node: TreeNode): string {
  return readText(node, MAX_MARK_CHARACTERS);
}

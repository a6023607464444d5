import { nextOutside, TEXT, type TreeNode } from '../parse/tree.ts';
import { isUserAttribute } from './author-marks.ts';
import { readText } from './plain-text.ts';

/** More text than this is no name, whatever it is marked as. */
const MAX_MARK_CHARACTERS = 300;
const MAX_STEPS = 30;
const LABEL_ONLY = /(?:^|\s)by\s*:?$/i;
const JOINS_NEXT = /(?:,|&|\band)$/i;
const JOINS = /^(?:,|&|,?\s*and)$/i;

/** Text that begins like "By", with what follows it: the name, when it is nothing but a label, and names joined to that. */
export function creditAt(node: TreeNode): string {
  let text = node.data.trim();
  let isUnfinished = LABEL_ONLY.test(text) || JOINS_NEXT.test(text);
  let at: TreeNode | null = node;
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    at = at.firstChild ?? following(at);
    if (at === null) break;
    const piece = at.nodeType === TEXT ? at.data.trim() : '';
    if (piece === '') continue;
    if (!isUnfinished && !JOINS.test(piece)) break;
    text += piece.startsWith(',') ? piece : ` ${piece}`;
    isUnfinished = JOINS_NEXT.test(piece);
  }
  return text;
}

function following(node: TreeNode): TreeNode | null {
  let at: TreeNode | null = node;
  while (at !== null && at.nextSibling === null) at = at.parentNode;
  return at?.nextSibling ?? null;
}

/** Of an item of microdata the property `name`, else its first link, else its text. */
export function nameOfItem(item: TreeNode): string {
  const content = item.getAttribute('content');
  if (content !== null) return content;
  let link: TreeNode | null = null;
  let node = item.firstChild;
  for (let steps = 0; node !== null && steps < MAX_STEPS; steps += 1) {
    if (node.getAttribute('itemprop') === 'name') return node.getAttribute('content') ?? readMark(node);
    if (node.nodeName === 'A') link ??= node;
    node = node.firstChild ?? nextOutside(node, item);
  }
  return readMark(link ?? item);
}

export function nameOfUser(node: TreeNode): string {
  return node.attributes.find(({ name }) => isUserAttribute(name))?.value ?? nameOfItem(node);
}

export function readMark(node: TreeNode): string {
  return readText(node, MAX_MARK_CHARACTERS);
}

import { ELEMENT, elementFrom, moveChildren, TEXT, TreeNode } from '../parse/tree.ts';
import { declarationsOf } from '../style/declarations.ts';
import { type ListItem, ListTree } from './list-tree.ts';
import { readText } from './text/read-text.ts';

/** Word's names of paragraphs of a list. */
const LIST_CLASS = /\bMsoList(?:Paragraph|Bullet|Number)/;
const LEVEL = /\blevel(\d)\b/;
/** A bullet or a number that is written as text, and the no-break spaces after it. */
const BULLET = '[·•§▪●○■◦‣–\\-o\\u00a7\\uf0b7\\uf0a7\\uf0d8]';
const NUMBER = '\\(?(?:\\d{1,3}\\.)*(?:\\d{1,3}|[a-z]|[ivxlc]{1,5})[.)]';
const MARKER = new RegExp(`^\\s*(${BULLET}|${NUMBER})(?:\\u00a0|$)`, 'i');
const ORDERED = new RegExp(`^${NUMBER}$`, 'i');
const MAX_MARKER_CHARACTERS = 40;

interface WordItem extends ListItem {
  readonly paragraph: TreeNode;
}

/**
 * Word writes lists as paragraphs, with the bullet in the text. If a paragraph begins such a list, the list takes the place of
 * its paragraphs. @returns the list, or the paragraph if it is no item
 */
export function takeWordList(paragraph: TreeNode): TreeNode {
  const { parentNode } = paragraph;
  const first = parentNode === null ? null : readItem(paragraph);
  if (parentNode === null || first === null) return paragraph;
  const tree = new ListTree(paragraph);
  for (let item: WordItem | null = first; item !== null; ) {
    const next: TreeNode | null = elementFrom(item.paragraph.nextSibling);
    const follows: TreeNode | null = next !== null && isBlankBetween(item.paragraph, next) ? next : null;
    tree.add(item, toListItem(item));
    item = follows === null ? null : readItem(follows);
  }
  return tree.place;
}

function readItem(paragraph: TreeNode): WordItem | null {
  if (paragraph.nodeName !== 'P') return null;
  const isStyled = paragraph.getAttribute('style')?.includes('mso-list') === true;
  const stated = isStyled ? declarationsOf(paragraph).get('mso-list') : undefined;
  const level = stated === undefined ? null : LEVEL.exec(stated);
  if (level === null && !LIST_CLASS.test(paragraph.classes)) return null;
  const marker = takeMarker(paragraph);
  if (marker === null && level === null) return null;
  const isOrdered = marker !== null && ORDERED.test(marker);
  const number = isOrdered ? (/(\d+)\D*$/.exec(marker)?.[1] ?? null) : null;
  return { paragraph, level: Number(level?.[1] ?? 1), isOrdered, number };
}

/** Takes the bullet or number out of a paragraph. Null if it has none. */
function takeMarker(paragraph: TreeNode): string | null {
  let node = paragraph.firstChild;
  while (node !== null && (node.nodeType === TEXT ? node.data.trim() === '' : !isIgnored(node))) {
    node = node.nodeType === TEXT ? node.nextSibling : (node.firstChild ?? node.nextSibling);
  }
  if (node === null) return null;
  if (node.nodeType === ELEMENT) {
    const marker = readText(node).trim();
    node.remove();
    return marker;
  }
  return takeText(paragraph);
}

function isIgnored(node: TreeNode): boolean {
  return declarationsOf(node).get('mso-list') === 'ignore';
}

/** Takes a marker that is text, with the white space after it. */
function takeText(paragraph: TreeNode): string | null {
  const texts: TreeNode[] = [];
  let start = '';
  for (const node of paragraph.descendants()) {
    if (node.nodeType !== TEXT) continue;
    texts.push(node);
    start += node.data.slice(0, MAX_MARKER_CHARACTERS);
    if (start.length > MAX_MARKER_CHARACTERS) break;
  }
  const marker = MARKER.exec(start)?.[1];
  if (marker === undefined) return null;
  let isTaken = false;
  for (const text of texts) {
    text.data = text.data.trimStart();
    if (!isTaken && text.data !== '') {
      isTaken = true;
      text.data = text.data.slice(marker.length).trimStart();
    }
    if (isTaken && text.data !== '') break;
  }
  return marker;
}

/** Makes a list item of a paragraph, which leaves its place. */
function toListItem({ paragraph, number }: WordItem): TreeNode {
  const item = new TreeNode(ELEMENT, 'li', '', number === null ? [] : [{ name: 'value', value: number }]);
  moveChildren(paragraph, item);
  paragraph.remove();
  return item;
}

function isBlankBetween(from: TreeNode, to: TreeNode): boolean {
  for (let node = from.nextSibling; node !== null && node !== to; node = node.nextSibling) {
    if (node.nodeType === TEXT && node.data.trim() !== '') return false;
  }
  return true;
}

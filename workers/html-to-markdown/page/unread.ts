import type { TreeNode } from '../parse/tree.ts';
import { measureOf, measureText } from './text-measure.ts';

const UNREAD = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'IFRAME',
  'OBJECT',
  'SVG',
  'CANVAS',
  'SELECT',
  'BUTTON',
  'TEXTAREA',
]);

/** What a reader of the page does not read. */
export function removeUnread(document: TreeNode): void {
  const unread: TreeNode[] = [];
  for (const node of document.descendants()) {
    if (node.nodeType === 1 && (UNREAD.has(node.nodeName) || node.getAttribute('hidden') !== null)) unread.push(node);
  }
  for (const node of unread) node.parentNode?.removeChild(node);
}

/** Less text than this beside its noscript parts: the page is made by scripts, and they are what there is to read. */
const LEAST_CHARACTERS = 200;

/** Drops what is for browsers without scripts, unless it holds the page. */
export function removeNoscript(body: TreeNode): void {
  const parts = [...body.descendants()].filter(({ nodeName }) => nodeName === 'NOSCRIPT');
  if (parts.length === 0) return;
  const within = measureText(body);
  const inParts = parts.reduce((sum, part) => sum + measureOf(within, part).text, 0);
  if (measureOf(within, body).text - inParts < LEAST_CHARACTERS) return;
  for (const part of parts) part.parentNode?.removeChild(part);
}

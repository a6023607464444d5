import type { TreeNode } from '../parse/tree.ts';

const UNREAD = new Set([
  'SCRIPT',
  'STYLE',
  'TEMPLATE',
  'NOSCRIPT',
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

import type { TreeNode } from '../../parse/tree.ts';

const LINES = new Set(['DIV', 'P', 'LI', 'TR', 'PRE']);
const TABLE_PARTS = new Set(['TABLE', 'TBODY', 'THEAD', 'TR']);

/** The text below a node, `<br>` as a line feed, each block on lines of its own, without what `skips` names. */
export function readText(root: TreeNode, skips?: (node: TreeNode) => boolean): string {
  let text = '';
  let isAtLineStart = true;
  const add = (piece: string) => {
    text += piece;
    isAtLineStart = piece.endsWith('\n');
  };
  const startLine = (name: string) => {
    if (!isAtLineStart && LINES.has(name)) add('\n');
  };
  let node: TreeNode | null = root.firstChild;
  while (node !== null) {
    if (node.nodeType !== 3) {
      if (node.nodeName === 'BR') add('\n');
      else startLine(node.nodeName);
    } else if (node.data !== '' && !isBetweenCells(node)) add(node.data);
    if (node.firstChild !== null && !skips?.(node)) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node.nextSibling === null) {
      node = node.parentNode === root ? null : node.parentNode;
      if (node !== null) startLine(node.nodeName);
    }
    node = node?.nextSibling ?? null;
  }
  return text;
}

function isBetweenCells({ data, parentNode }: TreeNode): boolean {
  return parentNode !== null && TABLE_PARTS.has(parentNode.nodeName) && data.trim() === '';
}

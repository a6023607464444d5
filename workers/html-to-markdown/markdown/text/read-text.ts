import { TEXT, type TreeNode, walk } from '../../parse/tree.ts';

const LINES = new Set(['DIV', 'P', 'LI', 'TR', 'PRE']);
const TABLE_PARTS = new Set(['TABLE', 'TBODY', 'THEAD', 'TR']);

/**
 * The text below a node, with `<br>` as a line feed and each block on its own lines. Content of skipped nodes is left out.
 * @param startsLine whether an element begins a line although its name does not tell
 * @param marksOf what to write around the text of an element
 */
export function readText(
  root: TreeNode,
  skips?: (node: TreeNode) => boolean,
  startsLine?: (node: TreeNode) => boolean,
  marksOf?: (node: TreeNode) => readonly [string, string] | null,
): string {
  let text = '';
  let isAtLineStart = true;
  const add = (piece: string) => {
    text += piece;
    isAtLineStart = piece.endsWith('\n');
  };
  const startLine = (name: string) => {
    if (!isAtLineStart && LINES.has(name)) add('\n');
  };
  walk(root, {
    enter(node) {
      if (skips?.(node) === true) return 'past';
      if (node.nodeType !== TEXT) {
        if (node.nodeName === 'BR') add('\n');
        else if (startsLine?.(node) === true) {
          if (!isAtLineStart) add('\n');
        } else startLine(node.nodeName);
        text += marksOf?.(node)?.[0] ?? '';
      } else if (node.data !== '' && !isBetweenCells(node)) add(node.data);
      return 'into';
    },
    leave(node) {
      if (marksOf !== undefined && node.nodeType !== TEXT) text += marksOf(node)?.[1] ?? '';
      startLine(node.nodeName);
    },
  });
  return text;
}

function isBetweenCells({ data, parentNode }: TreeNode): boolean {
  return parentNode !== null && TABLE_PARTS.has(parentNode.nodeName) && data.trim() === '';
}

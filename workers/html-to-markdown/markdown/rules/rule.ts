import type { TreeNode } from '../../parse/tree.ts';
import type { Footnotes } from '../footnotes.ts';

export interface RuleOptions {
  readonly resolve: (address: string) => string | null;
  readonly footnotes: Footnotes;
  /** What stands before a list item. */
  marker: string;
}

/**
 * How the driver walks an element: `block` only parts paragraphs, `frame` gets its finished blocks as content, `inline`
 * gets `MARK.content`, `line` does too and parts paragraphs, `leaf` and `leafBlock` read the node themselves, `skip`
 * writes nothing.
 */
export type RuleKind = 'block' | 'frame' | 'inline' | 'line' | 'leaf' | 'leafBlock' | 'skip';

export interface MarkdownRule {
  readonly filter: string[];
  readonly kind: RuleKind;
  /** For rules that look at more than the name. `null`: the element is written as if it were not there. */
  readonly kindOf?: (node: TreeNode, options: RuleOptions) => RuleKind | null;
  readonly replacement: (content: string, node: TreeNode, options: RuleOptions) => string;
}

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

import type { TreeNode } from '../../parse/tree.ts';

export interface RuleOptions {
  readonly resolve: (address: string) => string | null;
  /** What stands before a list item. */
  marker: string;
}

/**
 * How the driver walks an element: `block` only parts paragraphs, `frame` gets its finished blocks as content,
 * `inline` gets `MARK.content`, `leaf` and `leafBlock` read the node themselves, `skip` writes nothing.
 */
export type RuleKind = 'block' | 'frame' | 'inline' | 'leaf' | 'leafBlock' | 'skip';

export interface MarkdownRule {
  readonly filter: string[];
  readonly kind: RuleKind;
  readonly replacement: (content: string, node: TreeNode, options: RuleOptions) => string;
}

/** The text below a node, `<br>` as a line feed, without what `skips` names. */
export function readText(root: TreeNode, skips?: (node: TreeNode) => boolean): string {
  let text = '';
  let node: TreeNode | null = root.firstChild;
  while (node !== null) {
    if (node.nodeType === 3) text += node.data;
    else if (node.nodeName === 'BR') text += '\n';
    if (node.firstChild !== null && !skips?.(node)) {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node.nextSibling === null) node = node.parentNode === root ? null : node.parentNode;
    node = node?.nextSibling ?? null;
  }
  return text;
}

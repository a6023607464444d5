import type { TreeNode } from '../../parse/tree.ts';
import type { Footnotes } from '../text/footnotes.ts';

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

import type { TreeNode } from '../../parse/tree.ts';
import type { Footnotes } from '../text/footnotes.ts';

export interface RuleOptions {
  readonly resolve: (address: string) => string | null;
  readonly footnotes: Footnotes;
  /** The marker of a list item, such as `- `. */
  marker: string;
}

/**
 * How an element is written. `block`: it only separates paragraphs. `frame`: its rule gets the finished blocks in it as
 * content. `inline`: its rule gets `MARK.content`. `line`: like `inline`, and it separates paragraphs. `leaf` and
 * `leafBlock`: its rule reads the node itself. `skip`: nothing is written.
 */
export type RuleKind = 'block' | 'frame' | 'inline' | 'line' | 'leaf' | 'leafBlock' | 'skip';

export interface MarkdownRule {
  readonly filter: string[];
  readonly kind: RuleKind;
  /** For rules that depend on more than the name. `null`: only the content of the element is written. */
  readonly kindOf?: (node: TreeNode, options: RuleOptions) => RuleKind | null;
  readonly replacement: (content: string, node: TreeNode, options: RuleOptions) => string;
}

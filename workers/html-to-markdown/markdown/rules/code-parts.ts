import type { TreeNode } from '../../parse/tree.ts';

const GUTTER =
  /(?:^|\s)(?:(?:rouge-)?gutter|gl|(?:\S+-)?line-?num(?:ber)?s?(?:-rows)?|linenos?|linenodiv|lnt?|blob-num|hljs-ln-numbers|crayon-nums?(?:-content)?)(?:\s|$)/i;

/** Whether an element holds line numbers. */
export function isGutter(node: TreeNode): boolean {
  return node.attributes.length > 0 && GUTTER.test(node.classes) && node.nodeName !== 'PRE' && !isCode(node);
}

/** Prism and Prettify give such names to the code with line numbers. */
function isCode(node: TreeNode): boolean {
  return (
    node.nodeName === 'CODE' ||
    node.nodeName === 'OL' ||
    (node.nodeName === 'DIV' && /(?:^|\s)(?:code-toolbar|language-\S+)(?:\s|$)/.test(node.classes))
  );
}

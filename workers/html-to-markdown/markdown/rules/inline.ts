import type { TreeNode } from '../../parse/tree.ts';
import { MARK, verbatim } from '../text/marks.ts';
import type { MarkdownRule } from './rule.ts';

/** Most elements between the checkbox of a task and its list item, such as a label or a paragraph. */
const MAX_WRAPPERS = 3;

export const inlineRules: Readonly<Record<string, MarkdownRule>> = {
  emphasis: {
    filter: ['em', 'i', 'var', 'dfn', 'cite'],
    kind: 'inline',
    replacement: (content) => `${MARK.emphasisOpen}${content}${MARK.emphasisClose}`,
  },
  strong: {
    filter: ['strong', 'b'],
    kind: 'inline',
    replacement: (content) => `${MARK.strongOpen}${content}${MARK.strongClose}`,
  },
  strikethrough: {
    filter: ['del', 's', 'strike'],
    kind: 'inline',
    replacement: (content) => `${MARK.deletedOpen}${content}${MARK.deletedClose}`,
  },
  quotation: { filter: ['q'], kind: 'inline', replacement: (content) => `“${content}”` },
  lineBreak: { filter: ['br'], kind: 'leaf', replacement: () => MARK.lineBreak },
  checkbox: {
    filter: ['input'],
    kind: 'leaf',
    kindOf: (node) => (isTask(node) ? 'leaf' : 'skip'),
    replacement: (_, node) => `${verbatim(node.getAttribute('checked') === null ? '[ ]' : '[x]')} `,
  },
};

/** Whether a checkbox is in a list item. Others belong to forms. */
function isTask(node: TreeNode): boolean {
  if (node.getAttribute('type')?.toLowerCase() !== 'checkbox') return false;
  let at = node.parentNode;
  for (let level = 0; level < MAX_WRAPPERS && at !== null; level += 1, at = at.parentNode) {
    if (at.nodeName === 'LI') return true;
  }
  return false;
}

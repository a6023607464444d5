import { previousElement, type TreeNode } from '../../parse/tree.ts';
import { MARK } from '../text/marks.ts';
import type { MarkdownRule } from './rule.ts';

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
  // Labels of tabs and choices stand apart, which only their style tells.
  label: {
    filter: ['label'],
    kind: 'inline',
    replacement: (content, node) => (followsLabel(node) ? ` ${content}` : content),
  },
  lineBreak: { filter: ['br'], kind: 'leaf', replacement: () => MARK.lineBreak },
  // The renderer writes the boxes of tasks.
  input: { filter: ['input'], kind: 'skip', replacement: () => '' },
  // A reading without brackets of its own would be glued to the text that it is for.
  reading: {
    filter: ['rt', 'rtc'],
    kind: 'inline',
    kindOf: (node) => (isBracketed(node) ? null : 'inline'),
    replacement: (content) => `(${content})`,
  },
};

function followsLabel({ previousSibling }: TreeNode): boolean {
  let before = previousSibling;
  while (before?.nodeName === 'INPUT') before = before.previousSibling;
  return before?.nodeName === 'LABEL';
}

/** Whether a reading has brackets, is part of one that gets them, or is empty. */
function isBracketed(node: TreeNode): boolean {
  if (node.nodeName === 'RTC' && node.children.some(({ nodeName }) => nodeName === 'RT')) return true;
  return previousElement(node)?.nodeName === 'RP' || node.firstChild === null;
}

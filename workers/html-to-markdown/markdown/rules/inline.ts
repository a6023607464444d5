import { MARK, verbatim } from '../marks.ts';
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
  lineBreak: { filter: ['br'], kind: 'leaf', replacement: () => MARK.lineBreak },
  checkbox: {
    filter: ['input'],
    kind: 'leaf',
    replacement: (_, node) => {
      if (node.getAttribute('type')?.toLowerCase() !== 'checkbox') return '';
      return `${verbatim(node.getAttribute('checked') === null ? '[ ]' : '[x]')} `;
    },
  },
};

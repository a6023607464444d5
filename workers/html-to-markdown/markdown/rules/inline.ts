import { escapeText, writeTitle } from '../escape.ts';
import { MARK, verbatim, withoutMarks } from '../marks.ts';
import { type MarkdownRule, readText } from './rule.ts';

const BLANK = /^[\s\u200b]*$/;

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
  inlineLink: {
    filter: ['a'],
    kind: 'inline',
    replacement: (content, node, { resolve }) => {
      const href = node.getAttribute('href');
      const address = href === null ? null : resolve(href);
      if (address === null) return content;
      const title = withoutMarks(writeTitle(node.getAttribute('title')));
      return `${MARK.linkOpen}${content}${MARK.linkClose}${address}${title}${MARK.end}`;
    },
  },
  image: {
    filter: ['img'],
    kind: 'leaf',
    replacement: (_, node, { resolve }) => {
      const alternative = withoutMarks(node.getAttribute('alt') ?? '')
        .replace(/\s+/g, ' ')
        .trim();
      const source = node.getAttribute('src');
      const address = source === null ? null : resolve(source);
      if (address === null || !/^(?:https?:|[^:]*$|[^:]*[/?#])/i.test(address)) return alternative;
      const title = withoutMarks(writeTitle(node.getAttribute('title')));
      return verbatim(`![${escapeText(alternative)}](${address}${title})`);
    },
  },
  lineBreak: { filter: ['br'], kind: 'leaf', replacement: () => MARK.lineBreak },
  code: {
    filter: ['code', 'kbd', 'samp', 'tt'],
    kind: 'leaf',
    replacement: (_, node) => {
      const code = withoutMarks(readText(node)).replace(/[\r\n]+/g, ' ');
      if (BLANK.test(code)) return ' ';
      const fence = longestRun(code, '`', 1);
      const padding = /^`|`$|^ .* $/s.test(code) ? ' ' : '';
      return verbatim(`${fence}${padding}${code}${padding}${fence}`);
    },
  },
  math: {
    filter: ['math'],
    kind: 'leaf',
    replacement: (_, node) => {
      for (const child of node.descendants()) {
        if (child.nodeName === 'ANNOTATION' && /x-tex/i.test(child.getAttribute('encoding') ?? '')) {
          return writeMath(readText(child), node.getAttribute('display') === 'block');
        }
      }
      return withoutMarks(readText(node));
    },
  },
  mathScript: {
    filter: ['script'],
    kind: 'leaf',
    replacement: (_, node) => {
      const type = node.getAttribute('type') ?? '';
      return /^math\/tex/i.test(type) ? writeMath(readText(node), /mode=display/i.test(type)) : '';
    },
  },
  checkbox: {
    filter: ['input'],
    kind: 'leaf',
    replacement: (_, node) => {
      if (node.getAttribute('type')?.toLowerCase() !== 'checkbox') return '';
      return `${verbatim(node.getAttribute('checked') === null ? '[ ]' : '[x]')} `;
    },
  },
};

function writeMath(source: string, isBlock: boolean): string {
  const formula = withoutMarks(source).replace(/\s+/g, ' ').trim().replace(/</g, '\\lt ');
  if (formula === '') return '';
  return verbatim(isBlock ? `$$${formula}$$` : `$${formula}$`);
}

/** A run of the character that is longer than any in the text. */
export function longestRun(text: string, character: string, least: number): string {
  let longest = least - 1;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    run = text.charAt(at) === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return character.repeat(longest + 1);
}

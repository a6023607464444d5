import type { TreeNode } from '../../parse/tree.ts';
import { fenceFor, writeSpan } from '../text/code-span.ts';
import { verbatim, withoutMarks } from '../text/marks.ts';
import { readText } from '../text/read-text.ts';
import { readLanguage } from './code-language.ts';
import type { MarkdownRule } from './rule.ts';

const BLANK = /^[\s\u200b]*$/;
const GUTTER =
  /(?:^|\s)(?:(?:rouge-)?gutter|gl|line-?num(?:ber)?s?(?:-rows)?|linenos?|linenodiv|lnt?|blob-num|hljs-ln-numbers)(?:\s|$)/i;
const CODE_CELL = /(?:^|\s)(?:blob-code|hljs-ln-code|js-file-line)(?:\s|$)/;

export const codeRules: Readonly<Record<string, MarkdownRule>> = {
  fencedCode: {
    filter: ['pre', 'listing', 'xmp', 'plaintext'],
    kind: 'leafBlock',
    replacement: (_, node) => writeFence(node),
  },
  code: {
    filter: ['code', 'kbd', 'samp', 'tt'],
    kind: 'leaf',
    replacement: (_, node) => writeCodeSpan(node),
  },
};

/** A fenced block with the text below a node, without line numbers. '' if there are only line numbers. */
export function writeFence(node: TreeNode): string {
  const code = withoutMarks(readText(node, isGutter)).replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (BLANK.test(code) && !BLANK.test(readText(node))) return '';
  const fence = fenceFor(code, 3);
  return `${fence}${readLanguage(node)}\n${code}${code === '' ? '' : '\n'}${fence}`;
}

export function writeCodeSpan(node: TreeNode): string {
  const code = withoutMarks(readText(node, isGutter)).replace(/[\r\n]+/g, ' ');
  if (BLANK.test(code)) return ' ';
  return verbatim(writeSpan(code));
}

/** Whether a cell of a table is a line of code, as on GitHub. */
export function isCodeCell(cell: TreeNode): boolean {
  return CODE_CELL.test(cell.classes);
}

/** Whether a cell of a table holds the line numbers of the code beside it. */
export function isLineNumbers(cell: TreeNode): boolean {
  return isGutter(cell) && /^[\s\d]*$/.test(readText(cell));
}

function isGutter(node: TreeNode): boolean {
  return node.attributes.length > 0 && GUTTER.test(node.classes);
}

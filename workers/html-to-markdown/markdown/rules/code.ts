import type { TreeNode } from '../../parse/tree.ts';
import { verbatim, withoutMarks } from '../marks.ts';
import { readLanguage } from './code-language.ts';
import { type MarkdownRule, readText } from './rule.ts';

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

/** A fenced block of the text below a node, line numbers left out; '' when they were all there was. */
export function writeFence(node: TreeNode): string {
  const code = withoutMarks(readText(node, isGutter)).replace(/\r\n?/g, '\n').replace(/\n$/, '');
  if (BLANK.test(code) && !BLANK.test(readText(node))) return '';
  const fence = longestRun(code, '`', 3);
  return `${fence}${readLanguage(node)}\n${code}${code === '' ? '' : '\n'}${fence}`;
}

export function writeCodeSpan(node: TreeNode): string {
  const code = withoutMarks(readText(node, isGutter)).replace(/[\r\n]+/g, ' ');
  if (BLANK.test(code)) return ' ';
  const fence = longestRun(code, '`', 1);
  const padding = /^`|`$|^ .* $/s.test(code) ? ' ' : '';
  return verbatim(`${fence}${padding}${code}${padding}${fence}`);
}

/** Whether a cell of a table is a line of code, as on GitHub. */
export function isCodeCell(cell: TreeNode): boolean {
  return CODE_CELL.test(cell.getAttribute('class') ?? '');
}

/** Whether a cell of a table holds the line numbers of the code beside it. */
export function isLineNumbers(cell: TreeNode): boolean {
  return isGutter(cell) && /^[\s\d]*$/.test(readText(cell));
}

function isGutter(node: TreeNode): boolean {
  return node.attributes.length > 0 && GUTTER.test(node.getAttribute('class') ?? '');
}

/** A run of the character that is longer than any in the text. */
function longestRun(text: string, character: string, least: number): string {
  let longest = least - 1;
  let run = 0;
  for (let at = text.indexOf(character); at >= 0 && at < text.length; at += 1) {
    run = text.charAt(at) === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return character.repeat(longest + 1);
}

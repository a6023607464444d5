/**
 * Removes the Markdown syntax from a text: images, raw HTML tags, link targets, escapes, and the marks of headings,
 * lists, quotes, tables, fences, line breaks and emphasis. It is used for the output of every converter and for the
 * ground truth, which has list marks in some pages only.
 */
export function plainText(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => plainLine(line))
    .join('\n');
}

const FENCE_OR_RULE = /^[\s>]*(?:```|~~~|[-=*_](?:\s*[-=*_]){2,}\s*$)/;
const TABLE_RULE = /^[\s>|:-]*-[\s|:-]*$/;
const LINE_MARKS = /^(?:\s*(?:>|#{1,6}(?=\s|$)|[-*+•·](?=\s)|\d{1,9}\\?[.)](?=\s)|\[[ xX]\]))+/;
// The lengths are limited because some converters output scripts as text, in lines of several megabytes.
const IMAGE = /!\[(?:[^[\]\\]|\\.){0,1000}\]\([^()\s]{0,4000}(?:\s+"(?:[^"\\]|\\.){0,1000}")?\)/g;
const LINK =
  /\[((?:[^[\]\\]|\\.){0,2000})\](?:\(<?[^()\s]{0,4000}(?:\([^()\s]{0,1000}\)[^()\s]{0,1000}){0,9}>?(?:\s+"(?:[^"\\]|\\.){0,1000}")?\)|\[[^[\]]{0,1000}\])/g;
const TAG = /<\/?[a-z][^<>]{0,2000}>/gi;
const EMPHASIS = /(?<!\\)(?:\*{1,3}|~~|`+)|(?<![\p{L}\p{N}\\])_{1,3}(?=\S)|(?<=\S)(?<!\\)_{1,3}(?![\p{L}\p{N}])/gu;
const LINE_BREAK = /(?<!\\)((?:\\\\)*)\\$/;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;

function plainLine(line: string): string {
  if (FENCE_OR_RULE.test(line) || TABLE_RULE.test(line)) return '';
  const text = line
    .replace(LINE_BREAK, '$1')
    .replace(LINE_MARKS, '')
    .replace(IMAGE, ' ')
    .replace(LINK, '$1')
    .replace(TAG, ' ');
  return text
    .replace(/(?<!\\)\|/g, ' ')
    .replace(EMPHASIS, '')
    .replace(ESCAPE, '$1');
}

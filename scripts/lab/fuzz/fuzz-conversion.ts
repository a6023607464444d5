import { htmlToMarkdown } from '../../../workers/html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../../../workers/html-to-markdown/parse/conversion-error.ts';

/** What a conversion came to, as bytes to compare: every field, or the code of the refusal. */
export function convertToText(html: string): string {
  try {
    return JSON.stringify(htmlToMarkdown({ html, sourceUrl: 'https://example.com/a/b' }));
  } catch (error) {
    if (error instanceof ConversionError) return error.code;
    throw error;
  }
}

const RULES: readonly (readonly [wrong: string, pattern: RegExp])[] = [
  ['a NUL', /\0/],
  ['a carriage return', /\r/],
  ['no final newline, or more than one', /[^\n]$|\n\n$/],
  ['a link that runs code', /\]\(\s*<?\s*(?:javascript|vbscript|data):/i],
];

/** What is wrong with the Markdown of an input, or undefined. @throws whatever but a refusal the converter throws */
export function findFault(html: string): string | undefined {
  const text = convertToText(html);
  if (!text.startsWith('{')) return undefined;
  const { markdown, markdownCharacters } = JSON.parse(text) as ReturnType<typeof htmlToMarkdown>;
  if (markdownCharacters !== markdown.length) return 'the length is wrong';
  if (!markdown.isWellFormed()) return 'a lone surrogate';
  return RULES.find(([, pattern]) => pattern.test(markdown))?.[0];
}

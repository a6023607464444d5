import { Type } from 'typebox';
import { htmlToMarkdown } from '../../../workers/html-to-markdown/html-to-markdown.ts';
import { ConversionError } from '../../../workers/html-to-markdown/parse/conversion-error.ts';
import { createJsonReader } from '../../launch/parse/json-reader.ts';

/** Converts a page. @returns the result as JSON text, or the error code if the converter refuses the page */
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
  // A bracket after an odd number of backslashes is text.
  ['a link that runs code', /(?<!\\)(?:\\\\)*\]\(\s*<?\s*(?:javascript|vbscript|data):/i],
];

const Converted = Type.Object({ markdown: Type.String(), markdownCharacters: Type.Number() });
const readConverted = createJsonReader(Converted, 'the result of a conversion');

/**
 * Converts a page and checks the Markdown.
 * @returns the fault, or undefined if the conversion has no fault
 * @throws {Error} if the converter throws any error except a refusal
 */
export function findFault(html: string): string | undefined {
  const text = convertToText(html);
  if (!text.startsWith('{')) return undefined;
  const { markdown, markdownCharacters } = readConverted(text);
  if (markdownCharacters !== markdown.length) return 'the length is wrong';
  if (!markdown.isWellFormed()) return 'a lone surrogate';
  return RULES.find(([, pattern]) => pattern.test(markdown))?.[0];
}

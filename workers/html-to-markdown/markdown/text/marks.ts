/**
 * Marks that rules write for markup whose form depends on its neighbors. They are control characters, which are removed from
 * all text. `InlineWriter` turns them into Markdown.
 */
export const MARK = {
  /** Stands for the content in the replacement of an inline rule. Text before it opens, and text after it closes. */
  content: '\x00',
  emphasisOpen: '\x01',
  emphasisClose: '\x02',
  strongOpen: '\x03',
  strongClose: '\x04',
  deletedOpen: '\x05',
  deletedClose: '\x06',
  linkOpen: '\x07',
  /** Followed by the destination and `end`. */
  linkClose: '\x08',
  /** Followed by finished Markdown and `end`. */
  verbatim: '\x0e',
  end: '\x0f',
  lineBreak: '\x10',
} as const;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are control characters.
const MARKS = /[\0-\x08\x0b\x0e-\x1f\x7f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the marks are control characters.
const ALL_MARKS = /[\0-\x08\x0b\x0e-\x1f\x7f]/g;

/** Text without control characters. */
export function withoutMarks(text: string): string {
  return MARKS.test(text) ? text.replace(ALL_MARKS, '') : text;
}

/** Whether a character code is of a mark. Text keeps none of these characters. */
export function isMarkCode(code: number): boolean {
  return code <= 0x10 && (code < 0x09 || code > 0x0d);
}

/** Finished Markdown, to be written as it is. */
export function verbatim(markdown: string): string {
  return `${MARK.verbatim}${markdown}${MARK.end}`;
}

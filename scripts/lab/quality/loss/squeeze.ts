const OTHER_CHARACTERS = /[^\p{L}\p{N}]+/gu;

/** Only the letters and digits of a text. Marks of Markdown, white space and case make no difference. */
export function squeeze(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(OTHER_CHARACTERS, '');
}

import { defined } from '../../../exact/defined.ts';

const ENTITY = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy;
const ENTITY_START = /^&#?\w{0,32}$/;
const LINE_START = /(?:#{1,6}(?=\s|$)|[-+](?=\s|$)|>|~~~|=+\s*$|-[-\s]*$|:?-+\s*\||[|:])/y;
const LINE_START_NUMBER = /(\d{1,9})([.)])(?=\s|$)/y;
const WORD = /[\p{L}\p{N}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

/** Stands for a delimiter that may or may not be written. The text beside it may end up next to the text after it. */
export const MAYBE = '*';

/** Characters that can be markup anywhere in a line. */
const SPECIAL = /[\\*_`[\]<&~]/g;
const STARTS_LINE = /^[#\-+>~=:|\d]/;
export interface TextContext {
  /** The characters beside the text, or '' at the ends of a block. */
  readonly before: string;
  readonly after: string;
  readonly atLineStart: boolean;
}

const ALONE: TextContext = { before: '', after: '', atLineStart: false };

export function isSpace(character: string): boolean {
  return character === '' || character.trim() === '';
}

/** Unicode punctuation as CommonMark 0.31 has it: categories P and S. */
export function isPunctuation(character: string): boolean {
  return PUNCTUATION.test(character);
}

/** Escapes the characters that a CommonMark parser would read as markup in this context, and no others. */
export function escapeText(text: string, context: TextContext = ALONE): string {
  let written = '';
  let from = 0;
  let at = 0;
  if (context.atLineStart && STARTS_LINE.test(text)) {
    LINE_START.lastIndex = 0;
    LINE_START_NUMBER.lastIndex = 0;
    const number = LINE_START_NUMBER.exec(text);
    if (LINE_START.test(text)) written = '\\';
    else if (number !== null) {
      const digits = defined(number[1]);
      from = digits.length;
      written = `${digits}\\`;
      at = from;
    }
  }
  SPECIAL.lastIndex = at;
  while (SPECIAL.test(text)) {
    at = SPECIAL.lastIndex - 1;
    if ((at === 0 && written !== '') || !mustEscape(text, at, context)) continue;
    written += `${text.slice(from, at)}\\`;
    from = at;
  }
  return from === 0 && written === '' ? text : written + text.slice(from);
}

function mustEscape(text: string, at: number, context: TextContext): boolean {
  const character = text.charAt(at);
  const before = at === 0 ? context.before : text.charAt(at - 1);
  const after = at + 1 === text.length ? context.after : text.charAt(at + 1);
  switch (character) {
    case '\\':
      return after === '' || (after <= '~' && isPunctuation(after)) || at + 1 === text.length;
    case '*':
      return !(isSpace(before) && isSpace(after)) || (at === 0 && context.atLineStart);
    case '_':
      return (
        !(isSpace(before) && isSpace(after) && !(at === 0 && context.atLineStart)) &&
        !(WORD.test(before) && WORD.test(after))
      );
    case '<':
      return /[a-z/!?]/i.test(after) || (after === MAYBE && at + 1 === text.length);
    case '&':
      ENTITY.lastIndex = at;
      return ENTITY.test(text) || (context.after === MAYBE && ENTITY_START.test(text.slice(at)));
    case '~':
      return before === '~' || after === '~' || !(isSpace(before) && /[\d\s/]/.test(after));
    default:
      return true;
  }
}

/** The title of a link or an image, with a space before it. '' if there is none. */
export function writeTitle(title: string | null): string {
  if (title === null || title === '') return '';
  const text = title.replace(/\s+/g, ' ').trim();
  return text === '' ? '' : ` "${text.replace(/["\\`<&]/g, '\\$&')}"`;
}

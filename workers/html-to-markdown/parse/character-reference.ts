import type { Source } from './source.ts';

const NUMBER_SIGN = 0x23;
const SEMICOLON = 0x3b;
const SMALL_X = 0x78;
const FIRST_PRINTABLE = 0x21;
const DELETE = 0x7f;
/** Below it, numbers stand for other characters or for none (WHATWG HTML 13.2.5.80). */
const FIRST_LATIN = 0xa0;
const FIRST_SURROGATE = 0xd800;
const MAX_NAME_UNITS = 6;
const MAX_DIGITS = 5;

export interface CharacterReference {
  readonly text: string;
  /** The index after its semicolon. */
  readonly end: number;
}

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    amp: '&',
    lt: '<',
    gt: '>',
    quot: '"',
    apos: "'",
    nbsp: '\u00a0',
    copy: '©',
    reg: '®',
    laquo: '«',
    raquo: '»',
    middot: '·',
    times: '×',
    ndash: '–',
    mdash: '—',
    lsquo: '‘',
    rsquo: '’',
    ldquo: '“',
    rdquo: '”',
    bull: '•',
    hellip: '…',
    rarr: '→',
    trade: '™',
  }),
);

/**
 * The character reference that begins with the `&` at an index, if it is one of the most frequent named ones, or a number
 * that stands for itself, and ends with a semicolon. Null for all others, which need the rules of the standard.
 */
export function readReference({ html, units }: Source, ampersand: number): CharacterReference | null {
  const start = ampersand + 1;
  if (units[start] === NUMBER_SIGN) return readNumber(units, start + 1);
  for (let end = start + 2; end <= start + MAX_NAME_UNITS; end += 1) {
    if (units[end] !== SEMICOLON) continue;
    const text = NAMED.get(html.slice(start, end));
    return text === undefined ? null : { text, end: end + 1 };
  }
  return null;
}

function readNumber(units: Uint16Array, start: number): CharacterReference | null {
  const isHexadecimal = ((units[start] ?? 0) | 0x20) === SMALL_X;
  const base = isHexadecimal ? 16 : 10;
  let number = 0;
  let at = isHexadecimal ? start + 1 : start;
  const last = at + MAX_DIGITS;
  for (; at < last; at += 1) {
    const digit = digitValue(units[at] ?? 0);
    if (digit >= base) break;
    number = number * base + digit;
  }
  const isItself =
    (number >= FIRST_PRINTABLE && number < DELETE) || (number >= FIRST_LATIN && number < FIRST_SURROGATE);
  return isItself && units[at] === SEMICOLON ? { text: String.fromCharCode(number), end: at + 1 } : null;
}

/** The value of a hexadecimal digit. Infinity for any other character. */
function digitValue(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x61 + 10 : Number.POSITIVE_INFINITY;
}

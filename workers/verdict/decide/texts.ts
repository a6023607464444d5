import { type Fold, isFolded } from '../../exact/fold-text.ts';
import { codePointsOf } from '../../plan/language/strings.ts';
import type { Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import { stringsIn } from '../../plan/language/walk.ts';

/** A finite domain of strings. The code of a text is its position. Shorter texts come first. */
export interface Texts {
  codeOf(text: string): bigint;
  /** Undefined if no text has the code. */
  textOf(code: bigint): string | undefined;
  /** How many texts have at most this many code points. Their codes are those below the count. */
  countUpTo(maxCodePoints: number): bigint;
  /** The codes of texts that are not folded. */
  unfolded(fold: Fold): readonly bigint[];
}

/**
 * The domain has the texts that a problem names, and one fresh text for each string variable. That is enough: strings are
 * only compared for equality, so other texts in a solution can be exchanged for fresh ones. A fresh text has one code
 * point and is folded in every way, so it fits every variable except one of at most 0 code points, whose only value is the
 * empty text.
 */
export function createTexts(types: Iterable<ValueType>, terms: readonly Term[]): Texts {
  const named = new Set(['']);
  let variables = 0;
  for (const type of types) {
    if (type.type === 'enum') for (const value of type.values) named.add(value);
    if (type.type === 'string') variables += 1;
  }
  for (const text of stringsIn(terms)) named.add(text);

  const all = [...named, ...takeFresh(variables, named)].map((text) => ({ text, length: codePointsOf(text) }));
  // Texts of one length are ordered by UTF-16 units. Any order that is the same everywhere would do.
  all.sort((a, b) => a.length - b.length || (a.text < b.text ? -1 : 1));
  const codes = new Map(all.map(({ text }, index) => [text, BigInt(index)]));
  return {
    codeOf(text) {
      const code = codes.get(text);
      if (code === undefined) throw new TypeError('a text is not in the terms of the domain');
      return code;
    },
    textOf: (code) => all[Number(code)]?.text,
    countUpTo: (max) => BigInt(all.filter(({ length }) => length <= max).length),
    unfolded: (fold) => all.flatMap(({ text }, index) => (isFolded(text, fold) ? [] : [BigInt(index)])),
  };
}

const FIRST_FRESH = 0x61;
const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST_CODE_POINT = 0x10ffff;

/** "a", "b" and so on, without taken texts. There are more than a million, and a problem has far fewer variables. */
function* takeFresh(count: number, taken: ReadonlySet<string>): Generator<string> {
  let left = count;
  for (let codePoint = FIRST_FRESH; left > 0; codePoint += 1) {
    if (codePoint === FIRST_SURROGATE) codePoint = FIRST_AFTER_SURROGATES;
    if (codePoint > LAST_CODE_POINT) throw new RangeError('there are too many string variables');
    const text = String.fromCodePoint(codePoint);
    // A folded address is folded in every other way too.
    if (taken.has(text) || !isFolded(text, 'email')) continue;
    left -= 1;
    yield text;
  }
}

import { childrenOf } from './expand.ts';
import { codePointsOf } from './strings.ts';
import type { Term } from './terms.ts';
import type { ValueType } from './types.ts';

/** A finite domain for strings: a text's code is its place, and shorter texts come first. */
export interface Texts {
  codeOf(text: string): bigint;
  /** Undefined where no text has the code. */
  textOf(code: bigint): string | undefined;
  /** How many texts have at most so many code points: their codes are those below. */
  countUpTo(maxCodePoints: number): bigint;
}

/**
 * Strings are compared for equality alone, so a problem has a solution if it has one with the texts that it names and as
 * many others as it has string variables: whatever those are in a solution, they can be exchanged for these. The others
 * are of one code point, so that they fit every variable but those of no code point, whose only text is the empty one.
 */
export function createTexts(types: Iterable<ValueType>, terms: readonly Term[]): Texts {
  const named = new Set(['']);
  let variables = 0;
  for (const type of types) {
    if (type.type === 'enum') for (const value of type.values) named.add(value);
    if (type.type === 'string') variables += 1;
  }
  for (const text of textsIn(terms)) named.add(text);

  const all = [...named, ...takeFresh(variables, named)].map((text) => ({ text, length: codePointsOf(text) }));
  // By UTF-16 units among equals: any order does that is the same everywhere.
  all.sort((a, b) => a.length - b.length || (a.text < b.text ? -1 : 1));
  const codes = new Map(all.map(({ text }, index) => [text, BigInt(index)]));
  return {
    codeOf(text) {
      const code = codes.get(text);
      if (code === undefined) throw new TypeError('a text is not of the terms that were announced');
      return code;
    },
    textOf: (code) => (code >= 0n && code < BigInt(all.length) ? all[Number(code)]?.text : undefined),
    countUpTo: (max) => BigInt(all.filter(({ length }) => length <= max).length),
  };
}

function* textsIn(terms: readonly Term[]): Generator<string> {
  const pending = [...terms];
  for (let term = pending.pop(); term !== undefined; term = pending.pop()) {
    if (term.op === 'literal' && typeof term.value === 'string') yield term.value;
    for (const child of childrenOf(term)) pending.push(child);
  }
}

const FIRST_FRESH = 0x61;
const FIRST_SURROGATE = 0xd800;
const FIRST_AFTER_SURROGATES = 0xe000;
const LAST_CODE_POINT = 0x10ffff;

/** "a", "b" and so on, without those that are taken. There are more than a million, far more than a problem has variables. */
function* takeFresh(count: number, taken: ReadonlySet<string>): Generator<string> {
  let left = count;
  for (let codePoint = FIRST_FRESH; left > 0; codePoint += 1) {
    if (codePoint === FIRST_SURROGATE) codePoint = FIRST_AFTER_SURROGATES;
    if (codePoint > LAST_CODE_POINT) throw new RangeError('there are too many string variables');
    const text = String.fromCodePoint(codePoint);
    if (taken.has(text)) continue;
    left -= 1;
    yield text;
  }
}

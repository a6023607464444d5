import type { AddressSet, WordPostings } from './address-set.ts';
import { deletionsOf, isOneErrorAway } from './spelling.ts';
import { type AddressWord, addressWords, commonWordsNear, isCommonWord, isKind, isOrdinal } from './words.ts';

/** A word of the query, and the words of the set that it may be. */
export interface Term extends AddressWord {
  /** Its own key, or those that are one error away if no address has it. */
  readonly meant: ReadonlySet<string>;
  readonly postings: readonly WordPostings[];
}

const MAX_WORDS = 24;
const LEAST_MISSPELT_LETTERS = 2;
/** A word that no address has is as likely a slip as a part of the name. */
const UNKNOWN_WEIGHT = 0.5;

/** The words of a query as the set knows them. */
export function readTerms(set: AddressSet, query: string): readonly Term[] {
  return addressWords(query)
    .slice(0, MAX_WORDS)
    .flatMap((word) => readWord(set, word));
}

function readWord(set: AddressSet, word: AddressWord): readonly Term[] {
  const { key } = word;
  const own = set.word(key);
  if (own !== undefined) return [{ ...word, meant: new Set([key]), postings: [own] }];
  if (isKind(key)) return [{ ...word, meant: new Set([key]), postings: [] }];
  const [, digits, letters] = isOrdinal(key) ? [] : (/^(\d+)(\D{2,})$/.exec(key) ?? []);
  if (digits !== undefined && letters !== undefined) return [digits, letters].flatMap((part) => readPart(set, part));
  if (/^\d/.test(key)) return [{ ...word, meant: new Set(), postings: [] }];
  return (
    misspelt(set, word) ??
    apart(set, key) ?? [{ ...word, weight: word.weight * UNKNOWN_WEIGHT, meant: new Set(), postings: [] }]
  );
}

function readPart(set: AddressSet, text: string): readonly Term[] {
  return addressWords(text).flatMap((word) => readWord(set, word));
}

/** The words that are one error away. Undefined if there are none. */
function misspelt(set: AddressSet, word: AddressWord): readonly Term[] | undefined {
  const { key } = word;
  const near =
    key.length < LEAST_MISSPELT_LETTERS ? [] : [...deletionsOf(key)].flatMap((deletion) => set.wordsNear(deletion));
  const meant = new Set(near.filter((other) => isOneErrorAway(key, other)));
  const found = commonWordsNear(key);
  const common = found ?? [];
  // A misspelt particle says nothing.
  if (common.length === 0 && meant.size === 0) return found && [];
  for (const other of common) meant.add(other.key);
  const weight = Math.min(word.weight, ...common.map((other) => other.weight));
  return [{ ...word, weight, meant, postings: [...meant].flatMap((other) => set.word(other) ?? []) }];
}

/** Two known words that were written without a space. Undefined if there are none. */
function apart(set: AddressSet, key: string): readonly Term[] | undefined {
  for (let at = 2; at <= key.length - 2; at++) {
    const parts = [key.slice(0, at), key.slice(at)];
    if (parts.every((part) => isCommonWord(part) || set.word(part) !== undefined)) {
      return parts.flatMap((part) => readPart(set, part));
    }
  }
  return undefined;
}

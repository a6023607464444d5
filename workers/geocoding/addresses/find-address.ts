import { defined } from '../../exact/defined.ts';
import { type AddressSet, type House, housesOf, readPostings, type Street } from './address-set.ts';
import { houseAt } from './house-at.ts';
import { isOneErrorAway } from './spelling.ts';
import { readTerms, type Term } from './terms.ts';
import { type AddressWord, addressWords, type HouseNumber, isKind, readHouseNumber } from './words.ts';

/** A street that a query may mean, and the house if it names one. */
export interface FoundAddress {
  readonly street: Street;
  /** The house with the number that the query names, or where it must be between its neighbors. */
  readonly house: House | undefined;
  readonly isInterpolated: boolean;
  /** Whether the query names a house. */
  readonly isHouseWanted: boolean;
  readonly isMisspelt: boolean;
  /** Whether the query says that it is an address: by a house number, a word for a street, or a postcode. */
  readonly isNamed: boolean;
  /** Whether the query has the postcode of a town that is found without a street. */
  readonly isPostcode: boolean;
  /** The share of the query's words that the address explains, 0 to 1. */
  readonly explained: number;
  readonly score: number;
}

/** Streets of rare words that are considered. */
const MAX_STREETS = 4000;
/** Words of more streets than this say too little to be read. */
const MAX_RANKED = 200_000;
/** Streets that are compared with the whole query. */
const MAX_CANDIDATES = 12;
const LEAST_EXPLAINED = 0.7;
const LEAST_MISSPELT_LETTERS = 3;
const LEAST_OF_STREET = 0.7;
const MISSPELT_SHARE = 0.8;
const SHORT_LETTERS = 3;
const SHORT_SHARE = 0.4;
const HOUSE_POINTS = 0.3;

/** The addresses of a set that explain the query, best first. Equal scores are in the order of the set. */
export function findAddresses(set: AddressSet, query: string): readonly FoundAddress[] {
  const terms = readTerms(set, query);
  const found: FoundAddress[] = [];
  for (const id of candidatesOf(terms)) {
    const street = set.street(id);
    const address = street && compare(street, terms);
    if (address !== undefined) found.push(address);
  }
  return found.toSorted((a, b) => b.score - a.score);
}

/** The streets that share most with the query: those of its rarest words, in the order of all its words. */
function candidatesOf(terms: readonly Term[]): readonly number[] {
  const known = terms.filter(({ postings }) => postings.length > 0).toSorted((a, b) => sizeOf(a) - sizeOf(b));
  const named = known.filter(({ weight }) => weight >= 1);
  const useful = named.length > 0 ? named : known;
  const points = new Map<number, number>();
  let read = 0;
  for (const term of useful) {
    const size = sizeOf(term);
    if (size > MAX_RANKED && points.size > 0) break;
    const isFirst = points.size === 0 || read + size <= MAX_STREETS;
    if (isFirst) read += size;
    const value = 1 / Math.log2(2 + size);
    for (const postings of term.postings) {
      for (const street of readPostings(postings)) {
        const before = points.get(street);
        if (before !== undefined || isFirst) points.set(street, (before ?? 0) + value);
      }
    }
  }
  return [...points]
    .toSorted(([a, left], [b, right]) => right - left || a - b)
    .slice(0, MAX_CANDIDATES)
    .map(([street]) => street);
}

function sizeOf({ postings }: Term): number {
  return postings.reduce((sum, { count }) => sum + count, 0);
}

/** Undefined if the street leaves too much of the query, or the query too much of the street. */
function compare(street: Street, terms: readonly Term[]): FoundAddress | undefined {
  const { own, around, hasPostcode } = wordsOf(street, terms);
  const left = [...own.map((word) => ({ ...word, isOwn: true })), ...around.map((word) => ({ ...word, isOwn: false }))];
  let known = 0;
  let total = 0;
  let ofStreet = 0;
  let isMisspelt = false;
  const rest: number[] = [];
  // From the end, so that of two equal numbers the first is the house: 8 rue du 8 mai.
  for (const [index, term] of [...terms.entries()].toReversed()) {
    const at = indexOf(left, term);
    if (at === -1) {
      rest.unshift(index);
      continue;
    }
    const [word] = left.splice(at, 1);
    const isExact = defined(word).key === term.key;
    const value = term.weight * (isExact ? 1 : MISSPELT_SHARE);
    isMisspelt ||= !isExact;
    known += value;
    total += term.weight;
    if (defined(word).isOwn) ofStreet += defined(word).weight * (isExact ? 1 : MISSPELT_SHARE);
  }
  const wanted = houseOf(terms, rest);
  for (const index of rest) if (!wanted.terms.has(index)) total += weightLeft(defined(terms[index]));
  const streetWeight = own.reduce((sum, { weight }) => sum + weight, 0);
  const explained = total === 0 ? 0 : known / total;
  const ofOwn = streetWeight === 0 ? 0 : ofStreet / streetWeight;
  if (explained < LEAST_EXPLAINED || ofOwn < LEAST_OF_STREET) return undefined;
  const at = wanted.house && houseAt(housesOf(street), wanted.house);
  const score = explained + ofOwn + (at === undefined ? 0 : at.isInterpolated ? HOUSE_POINTS / 2 : HOUSE_POINTS);
  return {
    street,
    house: at?.house,
    isInterpolated: at?.isInterpolated ?? false,
    isHouseWanted: wanted.house !== undefined,
    isMisspelt,
    isPostcode: hasPostcode,
    isNamed: hasPostcode || wanted.house !== undefined || terms.some(({ meant }) => [...meant].some(isKind)),
    explained,
    score,
  };
}

interface StreetWords {
  /** The words of its name. */
  readonly own: readonly AddressWord[];
  /** The words that say where it is. */
  readonly around: readonly AddressWord[];
  /** Whether it is a town whose postcode the query has. Its name is the postcode then. */
  readonly hasPostcode: boolean;
}

function wordsOf({ name, town, district, region, postcode }: Street, terms: readonly Term[]): StreetWords {
  const wordsOfAll = (...texts: readonly string[]) => addressWords(texts.join(' '));
  if (name !== '') {
    return { own: addressWords(name), around: wordsOfAll(town, district, region, postcode), hasPostcode: false };
  }
  const code = addressWords(postcode);
  const hasPostcode = code.length > 0 && code.every(({ key }) => terms.some((term) => term.key === key));
  return hasPostcode
    ? { own: code, around: wordsOfAll(town, district, region), hasPostcode }
    : { own: addressWords(town), around: wordsOfAll(postcode, district, region), hasPostcode };
}

/** Short words are more often slips than names. */
function weightLeft({ key, weight }: Term): number {
  return key.length <= SHORT_LETTERS ? weight * SHORT_SHARE : weight;
}

/** The index of the word that a word of the query stands for. An exact match comes first. -1 if no word matches. */
function indexOf(words: readonly { readonly key: string }[], { key, meant }: Term): number {
  const exact = words.findIndex((word) => meant.has(word.key));
  if (exact !== -1 || /^\d/.test(key)) return exact;
  return words.findIndex((word) => word.key.length >= LEAST_MISSPELT_LETTERS && isOneErrorAway(key, word.key));
}

const SUFFIX = /^([a-z]|bis|ter|quater)$/;

/** The house number among the words that the street does not explain, and the words that it takes. */
function houseOf(
  terms: readonly Term[],
  rest: readonly number[],
): { readonly house: HouseNumber | undefined; readonly terms: ReadonlySet<number> } {
  const at = rest.find((index) => readHouseNumber(defined(terms[index]).key) !== undefined);
  const house = at === undefined ? undefined : readHouseNumber(defined(terms[at]).key);
  if (at === undefined || house === undefined) return { house, terms: new Set() };
  const next = terms[at + 1];
  const isSuffix = house.suffix === '' && rest.includes(at + 1) && next !== undefined && SUFFIX.test(next.key);
  if (!isSuffix) return { house, terms: new Set([at]) };
  return { house: { ...house, suffix: next.key }, terms: new Set([at, at + 1]) };
}

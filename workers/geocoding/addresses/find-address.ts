import { defined } from '../../exact/defined.ts';
import { type AddressSet, type House, housesOf, type Street } from './address-set.ts';
import { candidatesOf } from './candidates.ts';
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
  /** Whether a word of the query is misspelt, or it has one of two kinds: James Street for St James Street. */
  readonly isInexact: boolean;
  /** Whether it is of another kind than the query says: a lane, not a road. */
  readonly isOtherKind: boolean;
  /** Whether the query has its town or postcode beside its name or, of an address, a number or a word for a street. */
  readonly isNamed: boolean;
  /** Whether the query has the postcode of a town that is found without a street. */
  readonly isPostcode: boolean;
  /** The share of the query's words that the address explains, 0 to 1. */
  readonly explained: number;
  readonly score: number;
}

const LEAST_EXPLAINED = 0.7;
const LEAST_MISSPELT_LETTERS = 3;
const LEAST_OF_STREET = 0.7;
const MISSPELT_SHARE = 0.8;
const SHORT_LETTERS = 3;
const SHORT_SHARE = 0.4;
const HOUSE_POINTS = 0.3;
/** Of a street and a named place that explain the same, the street is meant. */
const NAMED_MALUS = 0.1;

/** The addresses of a set that explain the query, best first. Equal scores are in the order of the set. */
export function findAddresses(set: AddressSet, query: string): readonly FoundAddress[] {
  const terms = readTerms(set, query);
  const found: FoundAddress[] = [];
  for (const id of candidatesOf(set, terms)) {
    const street = set.street(id);
    const address = street && compare(street, terms);
    if (address !== undefined) found.push(address);
  }
  return rankAddresses(found);
}

/** Best first. A named place is not an answer beside a street address that explains more of the query. */
export function rankAddresses(found: readonly FoundAddress[]): readonly FoundAddress[] {
  const byStreets = Math.max(0, ...found.filter(({ street }) => !isNamed(street)).map(({ explained }) => explained));
  return found
    .filter(({ street, explained }) => !isNamed(street) || explained >= byStreets)
    .toSorted((a, b) => b.score - a.score);
}

/** Whether it has a name of its own beside its address. */
export function isNamed({ kind }: Street): boolean {
  return kind === 'poi' || kind === 'neighborhood';
}

/** The comparison by the name that fits best. Undefined if none fits. */
function compare(street: Street, terms: readonly Term[]): FoundAddress | undefined {
  const compared = wordsOf(street, terms).flatMap((words) => compareWords(street, words, terms) ?? []);
  return compared.toSorted((a, b) => b.score - a.score)[0];
}

/** Undefined if the street leaves too much of the query, or the query too much of the street. */
function compareWords(street: Street, words: StreetWords, terms: readonly Term[]): FoundAddress | undefined {
  const { own, hasPostcode } = words;
  const match = matchWords(words, terms);
  const wanted = houseOf(terms, match.rest);
  let total = match.total;
  for (const index of match.rest) if (!wanted.terms.has(index)) total += weightLeft(defined(terms[index]));
  const streetWeight = own.reduce((sum, { weight }) => sum + weight, 0);
  const explained = total === 0 ? 0 : match.known / total;
  const ofOwn = streetWeight === 0 ? 0 : match.ofStreet / streetWeight;
  if (explained < LEAST_EXPLAINED || ofOwn < LEAST_OF_STREET) return undefined;
  const at = wanted.house && houseAt(housesOf(street), wanted.house);
  const ofHouse = at === undefined ? 0 : at.isInterpolated ? HOUSE_POINTS / 2 : HOUSE_POINTS;
  return {
    street,
    house: at?.house,
    isInterpolated: at?.isInterpolated ?? false,
    isHouseWanted: wanted.house !== undefined,
    isInexact: match.isMisspelt || (match.isKindLeft && match.isKindKnown),
    isOtherKind: match.isKindLeft && match.rest.some((index) => saysKind(defined(terms[index]))),
    isPostcode: hasPostcode,
    isNamed: isPlaced(street, terms) || (!isNamed(street) && (hasPostcode || saysAddress(terms, wanted.house))),
    explained,
    score: explained + ofOwn + (isNamed(street) ? -NAMED_MALUS : ofHouse),
  };
}

function saysAddress(terms: readonly Term[], house: HouseNumber | undefined): boolean {
  return house !== undefined || terms.some(saysKind);
}

function saysKind({ meant }: Term): boolean {
  return [...meant].some(isKind);
}

/**
 * Whether a query says where something is, by its town or postcode, and has more than that. Alone, its name is as likely
 * that of a city or a mountain.
 */
function isPlaced({ town, postcode }: Street, terms: readonly Term[]): boolean {
  const [ofTown, ofPostcode] = [town, postcode].map((text) => new Set(addressWords(text).map(({ key }) => key)));
  const says = (words: ReadonlySet<string> | undefined) => (term: Term) =>
    [...term.meant].some((key) => words?.has(key) ?? false);
  const isWhere = (term: Term) => says(ofTown)(term) || says(ofPostcode)(term);
  return terms.some(isWhere) && !terms.every(isWhere);
}

interface WordMatch {
  /** The weight of the query's words that the street explains, and of all that it explains in any way. */
  readonly known: number;
  readonly total: number;
  /** The weight of the words of the street's name that the query has. */
  readonly ofStreet: number;
  readonly isMisspelt: boolean;
  /** Whether the query lacks a word for a kind of street that the street's name has. */
  readonly isKindLeft: boolean;
  /** Whether it has another. */
  readonly isKindKnown: boolean;
  /** The terms that are left, ascending. */
  readonly rest: readonly number[];
}

function matchWords({ own, around }: StreetWords, terms: readonly Term[]): WordMatch {
  const left = [...own.map((word) => ({ ...word, isOwn: true })), ...around.map((word) => ({ ...word, isOwn: false }))];
  let known = 0;
  let total = 0;
  let ofStreet = 0;
  let isMisspelt = false;
  let isKindKnown = false;
  const rest: number[] = [];
  // From the end, so that of two equal numbers the first is the house: 8 rue du 8 mai.
  for (const [index, term] of [...terms.entries()].toReversed()) {
    const at = indexOf(left, term);
    if (at === -1) {
      rest.unshift(index);
      continue;
    }
    const word = defined(left[at]);
    left.splice(at, 1);
    const isExact = word.key === term.key;
    const share = isExact ? 1 : MISSPELT_SHARE;
    isMisspelt ||= !isExact;
    known += term.weight * share;
    total += term.weight;
    if (word.isOwn) ofStreet += word.weight * share;
    isKindKnown ||= word.isOwn && isKind(word.key);
  }
  const isKindLeft = left.some(({ isOwn, key }) => isOwn && isKind(key));
  return { known, total, ofStreet, isMisspelt, isKindLeft, isKindKnown, rest };
}

interface StreetWords {
  /** The words of its name. */
  readonly own: readonly AddressWord[];
  /** The words that say where it is. */
  readonly around: readonly AddressWord[];
  /** Whether it is a town whose postcode the query has. Its name is the postcode then. */
  readonly hasPostcode: boolean;
}

/** The words of a street by each of its names. */
function wordsOf(street: Street, terms: readonly Term[]): readonly StreetWords[] {
  const { kind, name, road, town, district, region, postcode } = street;
  const wordsOfAll = (...texts: readonly string[]) => addressWords(texts.join(' '));
  const others = street.otherNames === '' ? [] : street.otherNames.split('\n');
  if (kind !== 'town') {
    const around = wordsOfAll(road, town, district, region, postcode);
    return [name, ...others].map((text) => ({ own: addressWords(text), around, hasPostcode: false }));
  }
  const code = addressWords(postcode);
  const hasPostcode = code.length > 0 && code.every(({ key }) => terms.some((term) => term.key === key));
  if (hasPostcode) return [{ own: code, around: wordsOfAll(town, district, region, ...others), hasPostcode }];
  const around = wordsOfAll(postcode, district, region);
  return [town, ...others].map((text) => ({ own: addressWords(text), around, hasPostcode }));
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

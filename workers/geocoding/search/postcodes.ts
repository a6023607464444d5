import { defined } from '../../exact/defined.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, placeEntity, pointOf, postcodeEntity } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { NameTable } from '../gazetteer/names.ts';
import { distanceKm } from '../geometry/distance.ts';
import { keyOf } from '../text/fold.ts';
import type { Hit, Span } from './hits.ts';
import type { Token } from './query.ts';

export interface PostcodeHit {
  /** Row of the postcode table. */
  readonly row: number;
  readonly mask: number;
}

const PLUS_4 = /^\d{4}$/;
const REACH_KM = 80;
/** Codes that are written in two groups of digits: 100-0001 in Japan, 560 001 in India. */
const FIRST_GROUP = /^\d{3}$/;
const SECOND_GROUP = /^\d{3,4}$/;
/** Letters before a code that are not ISO 3166 codes: D-10115. */
const CAR_CODES: Readonly<Record<string, string>> = {
  a: 'AT',
  b: 'BE',
  d: 'DE',
  e: 'ES',
  f: 'FR',
  fin: 'FI',
  h: 'HU',
  i: 'IT',
  l: 'LU',
  n: 'NO',
  p: 'PT',
  s: 'SE',
};

/** The letters before a number that name the entity's country: B-1000. */
export function carCodeMask(gazetteer: Gazetteer, tokens: readonly Token[], entity: number): number {
  if (!tokens.some(({ word }) => CAR_CODES[word] !== undefined)) return 0;
  const country = holderOf(gazetteer.areas, areaOf(gazetteer, entity), 0);
  if (country === undefined) return 0;
  const code = gazetteer.areas.codes.at(country);
  return tokens.reduce((mask, { word }, index) => {
    const isMarked = CAR_CODES[word] === code && tokens[index + 1]?.isNumber === true;
    return isMarked ? mask | (1 << index) : mask;
  }, 0);
}

/** Postcodes among the tokens. Of the United States, four further digits may follow a code. */
export function findPostcodes(gazetteer: Gazetteer, tokens: readonly Token[]): readonly PostcodeHit[] {
  return tokens.flatMap(({ word, isStreet, isNumber }, index) => {
    if (isStreet || !isNumber) return [];
    const next = tokens[index + 1];
    const isGrouped = next !== undefined && FIRST_GROUP.test(word) && SECOND_GROUP.test(next.word);
    const code = isGrouped ? word + next.word : word;
    return gazetteer.postcodes.find(code.toUpperCase()).map((row) => {
      const country = countryOf(gazetteer, row);
      const hasPlus4 = country === 'US' && next !== undefined && PLUS_4.test(next.word);
      const isMarked = CAR_CODES[tokens[index - 1]?.word ?? ''] === country;
      return { row, mask: ((isGrouped || hasPlus4 ? 3 : 1) << index) | (isMarked ? 1 << (index - 1) : 0) };
    });
  });
}

/** Characters of a code that its district has in common with others. */
const DISTRICT_LENGTH = 3;
/** Farthest that codes of one district are from a town in it. */
const DISTRICT_KM = 100;

/** Whether the codes of a country that are like `code` are all far from a place in it. Unknown countries have none. */
export function isPostcodeElsewhere(gazetteer: Gazetteer, code: string, entity: number): boolean {
  const { areas, postcodes } = gazetteer;
  const country = holderOf(areas, areaOf(gazetteer, entity), 0);
  const point = pointOf(gazetteer, entity);
  const upper = code.toUpperCase();
  const exact = postcodes.find(upper);
  const isOwn = (row: number) => holderOf(areas, postcodes.area[row], 0) === country;
  const alike = exact.some(isOwn) ? exact : postcodes.findPrefix(upper.slice(0, DISTRICT_LENGTH));
  // All codes of digits that a country has are of one length. Of 1012 AB, the digits are a part.
  const isOfLength = (row: number) => !/^\d+$/.test(upper) || postcodes.codeAt(row).length === upper.length;
  const isNear = (row: number) => distanceKm(point, pointOf(gazetteer, postcodeEntity(gazetteer, row))) <= DISTRICT_KM;
  if (alike.some((row) => isOwn(row) && isNear(row) && isOfLength(row))) return false;
  return [...postcodes.areas].some((area) => holderOf(areas, area, 0) === country);
}

function countryOf({ areas, postcodes }: Gazetteer, row: number): string {
  const country = holderOf(areas, postcodes.area[row], 0);
  return country === undefined ? '' : areas.codes.at(country);
}

/** The tokens that name the town of a postcode. Only the post office may use its name, so `spans` are compared as well. */
export function townMask(
  gazetteer: Gazetteer,
  { row }: PostcodeHit,
  { hits, spans }: { readonly hits: readonly Hit[]; readonly spans: readonly Span[] },
): number {
  const { names, postcodes } = gazetteer;
  const place = postcodes.placeOf(row);
  const entity = place === undefined ? undefined : placeEntity(gazetteer, place);
  const town = keyOf(postcodes.townOf(row));
  const named = hits.filter((hit) => entity !== undefined && isNameOf(names, hit, entity));
  const spelled = [...hits, ...spans].filter(({ key }) => key === town);
  return [...named, ...spelled].reduce((mask, span) => mask | span.mask, 0);
}

function isNameOf({ postings }: NameTable, { start, end }: Hit, entity: number): boolean {
  for (let at = start; at < end; at++) if (defined(postings[at]) >>> 1 === entity) return true;
  return false;
}

/** The tokens of postcodes that say where a place is: those in the same state and near the place. */
export function postcodeMask(gazetteer: Gazetteer, postcodes: readonly PostcodeHit[], entity: number): number {
  if (postcodes.length === 0 || entityOf(gazetteer, entity).kind !== 'place') return 0;
  const state = holderOf(gazetteer.areas, areaOf(gazetteer, entity), 1);
  return postcodes.reduce((mask, { row, mask: own }) => {
    const postcode = postcodeEntity(gazetteer, row);
    const isInState = state !== undefined && state === holderOf(gazetteer.areas, areaOf(gazetteer, postcode), 1);
    const isNear = isInState && distanceKm(pointOf(gazetteer, entity), pointOf(gazetteer, postcode)) < REACH_KM;
    return isNear ? mask | own : mask;
  }, 0);
}

import type { Confidence } from '../address/address.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { entityOf, placeEntity, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { distanceKm } from '../geometry/distance.ts';
import type { Candidate } from './candidates.ts';
import { isPostcodeElsewhere } from './postcodes.ts';
import { CITY_POPULATION, isProminent } from './prominence.ts';
import type { Token } from './query.ts';
import { BEARINGS, BEFORE, NO_PLACES, WARDS } from './street-words.ts';

/**
 * How much of the query a candidate explains. `whole`: every word. `address`: all but a street, a number or a postcode.
 * `part`: other words are left.
 */
export type Fit = 'whole' | 'address' | 'part';

/** Digits of a number that is a postcode rather than part of a name: Area 51. */
const POSTCODE_LENGTH = 4;

export function fitOf({ known }: Candidate, tokens: readonly Token[]): Fit {
  const isNumbered = tokens.some(({ isNumber }) => isNumber);
  const isAddress = tokens.some(({ isStreet, isUnspaced }) => isStreet || (isUnspaced && isNumbered));
  let fit: Fit = 'whole';
  for (const [index, token] of tokens.entries()) {
    if ((known & (1 << index)) !== 0 || (token.isFiller && !token.isStreet)) continue;
    const isHalf = tokens[index + 1]?.isPostcodeEnd === true;
    const isDetail = token.isStreet || (token.isUnspaced && isNumbered) || isHalf || isPostal(token, isAddress);
    if (!isDetail) return 'part';
    fit = 'address';
  }
  return fit;
}

function isPostal({ isNumber, isPostcodeEnd, key }: Token, isAddress: boolean): boolean {
  return isPostcodeEnd || (isNumber && (isAddress || key.length >= POSTCODE_LENGTH));
}

/** The share of the words that a candidate must explain to be worth an answer, if no street explains the others. */
const LEAST_SHARE = 0.5;
const TOWN_POPULATION = 5000;

/**
 * Whether a candidate that explains a part of the query is worth an answer. The rest of its own segment must be explained,
 * because a word beside a name makes another name (Eiffel Tower, Lake Chad), unless the candidate is a city or a division
 * that people name to say where something is (Chicago Bulls).
 */
export function isWorthAnAnswer(gazetteer: Gazetteer, candidate: Candidate, tokens: readonly Token[]): boolean {
  const { form, known, mask } = candidate;
  const isUnspaced = tokens.some((token, index) => (mask & (1 << index)) !== 0 && token.isUnspaced);
  // Most names in scripts without spaces are other names in the data.
  if (form !== 'own' && !(form === 'other' && isUnspaced)) return false;
  const own = tokens.find((_, index) => (mask & (1 << index)) !== 0)?.segment;
  let words = 0;
  let explained = 0;
  let isOwnLeft = false;
  for (const [index, { segment, isFiller, isStreet, weight }] of tokens.entries()) {
    if (isStreet || isFiller) continue;
    const isKnown = (known & (1 << index)) !== 0;
    words += weight;
    if (isKnown) explained += weight;
    else if (segment === own) isOwnLeft = true;
  }
  if (!isOwnLeft) return isProminent(gazetteer, candidate.entity, TOWN_POPULATION);
  return explained >= words * LEAST_SHARE && isProminent(gazetteer, candidate.entity, CITY_POPULATION);
}

export interface Standing {
  readonly fit: Fit;
  /** Its lead in points over the best other candidate. Infinity if no other candidate is likely. */
  readonly lead: number;
  /** Whether the query is as codes of airports are written. */
  readonly isCode: boolean;
  /** Whether the query has no small letters. */
  readonly isCapital: boolean;
}

/** A lead over the next candidate that makes an ambiguous answer likely: twice its population. */
const LIKELY_LEAD = 0.3;
/** Letters of a word in which one error leaves little doubt. */
const SURE_LETTERS = 6;

/** How likely a candidate is what the query means: more than 98 of 100 answers with `High` are, 85 with `Medium`. */
export function confidenceOf(
  gazetteer: Gazetteer,
  candidate: Candidate,
  tokens: readonly Token[],
  { fit, lead, isCode, isCapital }: Standing,
): Confidence {
  const { form, isPlaced, isElsewhere, isTaken } = candidate;
  if (fit === 'part' || lead < LIKELY_LEAD || isElsewhere) return 'Low';
  if (isNoPlace(tokens) || (!candidate.isNarrow && isWard(candidate, tokens))) return 'Low';
  if (isOfStreet(candidate, tokens)) return 'Low';
  if (fit === 'address' && isOutsidePostcode(gazetteer, candidate, tokens)) return 'Low';
  if (!isPlaced && isShortName(gazetteer, candidate)) return 'Low';
  const isCity = isProminent(gazetteer, candidate.entity, CITY_POPULATION);
  const isTown = isProminent(gazetteer, candidate.entity, TOWN_POPULATION);
  const isSure = isPlaced || isCity;
  if (!isPlaced && isUnsurePostcode(gazetteer, candidate, tokens)) return 'Low';
  if (isCode && isUnknownCode(gazetteer, candidate)) return 'Low';
  if (isTaken && (form === 'misspelt' || (form === 'other' && !isTown))) return 'Low';
  if (form === 'misspelt') return isSure && lead === Infinity && isLikelySlip(candidate, tokens) ? 'Medium' : 'Low';
  // In small letters, many codes are words: no, is, mrs.
  if (form === 'code') return isSure && (isCapital || tokens.length > 1) ? 'Medium' : 'Low';
  if (form === 'other' && lead !== Infinity) return 'Low';
  if (fit === 'address' || form === 'other') return isSure ? 'Medium' : 'Low';
  if (isSure) return lead === Infinity && !isFarPostcode(gazetteer, candidate) ? 'High' : 'Medium';
  return isTown ? 'Medium' : 'Low';
}

/**
 * Whether a candidate is a postcode that may as well be another number, or a code of a country that the data lacks. ZIP
 * codes are known, and SW1A 1AA is nothing else.
 */
function isUnsurePostcode(gazetteer: Gazetteer, { entity }: Candidate, tokens: readonly Token[]): boolean {
  const { areas, postcodes } = gazetteer;
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind !== 'postcode') return false;
  const country = holderOf(areas, postcodes.area[row], 0);
  if (country !== undefined && areas.codes.at(country) === 'US') return false;
  return /^\d+$/.test(postcodes.codeAt(row)) || !tokens.some(({ isPostcodeEnd }) => isPostcodeEnd);
}

/** Whether a candidate is named by a part of a street: Plaza España is a square, not Plaza in Spain. */
function isOfStreet({ mask }: Candidate, tokens: readonly Token[]): boolean {
  const own = tokens.filter((_, index) => (mask & (1 << index)) !== 0);
  if (own.some(({ isStreet }) => isStreet)) return true;
  if (!own.every(({ word }) => BEFORE.has(word))) return false;
  return tokens.some((token, index) => token.segment === own[0]?.segment && (mask & (1 << index)) === 0);
}

/** Whether every word stands for a missing value, or only says a kind or a direction. */
function isNoPlace(tokens: readonly Token[]): boolean {
  return tokens.every(({ word, isKind }) => isKind || NO_PLACES.has(word) || BEARINGS.has(word));
}

/** Whether a candidate is named as a ward. */
function isWard({ mask }: Candidate, tokens: readonly Token[]): boolean {
  return tokens.some(({ word }, index) => index > 0 && WARDS.has(word) && (mask & (3 << (index - 1))) !== 0);
}

/** Least population of a place with an abbreviation in general use: NYC. */
const ABBREVIATED_POPULATION = 5_000_000;

/** Whether three capital letters that are a name of something may as well be a code that is not known. */
function isUnknownCode(gazetteer: Gazetteer, { entity, form }: Candidate): boolean {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'area') return form !== 'own' || gazetteer.areas.level[row] !== 0;
  return form !== 'code' && !(form === 'other' && isProminent(gazetteer, entity, ABBREVIATED_POPULATION));
}

/** Letters of a word that is another name of too many places, unless they are metropolises: NYC. */
const SHORT_LETTERS = 3;
const METROPOLIS_POPULATION = 1_000_000;

function isShortName(gazetteer: Gazetteer, { entity, form, key }: Candidate): boolean {
  if (form !== 'other' || key.length > SHORT_LETTERS || !/^[a-z]/.test(key)) return false;
  return !isProminent(gazetteer, entity, METROPOLIS_POPULATION);
}

/**
 * Whether a number that is no house may be a postcode of somewhere else: the answer is no town, or its country has the code,
 * or those with its first characters, only elsewhere.
 */
function isOutsidePostcode(gazetteer: Gazetteer, { entity, known }: Candidate, tokens: readonly Token[]): boolean {
  return tokens.some(({ isNumber, isStreet, isPostcodeEnd, word }, index) => {
    if (!isNumber || isStreet || isPostcodeEnd || (known & (1 << index)) !== 0) return false;
    const end = tokens[index + 1];
    if (end?.isPostcodeEnd !== true && word.length < POSTCODE_LENGTH) return false;
    if (entityOf(gazetteer, entity).kind === 'area') return true;
    return isPostcodeElsewhere(gazetteer, word, entity);
  });
}

/** A postcode is at most this far from its town. If its point is farther, one of both points is wrong. */
const POSTCODE_REACH_KM = 20;

function isFarPostcode(gazetteer: Gazetteer, { entity }: Candidate): boolean {
  const { kind, row } = entityOf(gazetteer, entity);
  const town = kind === 'postcode' ? gazetteer.postcodes.placeOf(row) : undefined;
  if (town === undefined) return false;
  return distanceKm(pointOf(gazetteer, entity), pointOf(gazetteer, placeEntity(gazetteer, town))) > POSTCODE_REACH_KM;
}

/** Whether a misspelt word is long enough that one error leaves little doubt. The first letter is rarely wrong. */
function isLikelySlip({ mask, key }: Candidate, tokens: readonly Token[]): boolean {
  const word = tokens.reduce((text, token, index) => ((mask & (1 << index)) === 0 ? text : text + token.key), '');
  return word.length >= SURE_LETTERS && word.charAt(0) === key.charAt(0);
}

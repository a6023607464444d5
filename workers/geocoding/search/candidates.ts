import { defined } from '../../exact/defined.ts';
import { entityOf, postcodeEntity } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import type { Point } from '../geometry/distance.ts';
import { canonicalWord, keyOf } from '../text/fold.ts';
import { contextsOf, sovereignMask, surroundingsOf } from './contexts.ts';
import { type Hit, type Span, spansOf } from './hits.ts';
import { carCodeMask, findPostcodes, type PostcodeHit, postcodeMask, townMask } from './postcodes.ts';
import { nearnessOf, prominenceOf } from './prominence.ts';
import { maskOf, type Token } from './query.ts';
import { AREA_KINDS, BEARINGS, SAYS_AIRPORT, TOWN_KINDS } from './street-words.ts';

/** How a span names an entity: by its own name, by another name, by its code, or with a typing error. */
export type NameForm = 'own' | 'other' | 'code' | 'misspelt';

/** An entity that a span of the query may mean. */
interface Sense {
  readonly entity: number;
  /** The tokens that name it. */
  readonly mask: number;
  /** The key of its name. */
  readonly key: string;
  readonly form: NameForm;
  /** Points for the form of the name, in powers of ten of population. */
  readonly points: number;
  /** Whether the words are rather the name of something else: see `Hit`. */
  readonly isTaken: boolean;
  /** Whether its name says where it is: a postcode with its town. */
  readonly isNamed: boolean;
}

/** A sense as the answer to the whole query. */
export interface Candidate extends Sense {
  /** Weight of the tokens that neither name it nor say where it is. */
  readonly left: number;
  /** The tokens that do. */
  readonly known: number;
  /** Whether some of them say where it is. */
  readonly isPlaced: boolean;
  /** Whether some name a place or an area around it that is smaller than a country. */
  readonly isNarrow: boolean;
  /** Whether some only say what it is near, or of what kind it is. */
  readonly isLoose: boolean;
  /** Whether some also name a country or a first-level division in which it is not. */
  readonly isElsewhere: boolean;
  /** The largest area around it that is named. */
  readonly within: number | undefined;
  readonly score: number;
}

export interface Reading {
  readonly tokens: readonly Token[];
  readonly hits: readonly Hit[];
  readonly bias: Point | undefined;
  /** Whether it is as codes of airports are written: MAN. */
  readonly isCode: boolean;
}

/** An unexplained word weighs more than most populations. */
const LEFT_POINTS = -10;
const MISSPELT_POINTS = -2;
const OTHER_NAME_POINTS = -1.2;
/** Of a name in another script. Places have few own names of that kind. */
const OTHER_SCRIPT_POINTS = -0.8;
/** In some languages a country has the name that its capital has in others: Tunis. */
const OTHER_COUNTRY_NAME_POINTS = -3;
const CODE_POINTS = -2.5;
const STREET_POINTS = -4;
/** A place in the state itself is more likely meant than one in a territory of it: Saint-Denis, France. */
const SOVEREIGN_POINTS = -1.5;
/** A word that may say a kind is more likely part of a name that has it: Carson City is not the city of Carson. */
const KIND_POINTS = -0.7;
/** A postcode and a state that agree are very likely meant. */
const CONFIRMED_POSTCODE_POINTS = 10;
/** Most words in the name of a town beside its postcode. */
const MAX_TOWN_TOKENS = 6;
/** Least population for a misspelt name. Names of small places are one letter from nearly any word. */
const MISSPELT_POPULATION = 5000;
/** Least population of what may be called a city. */
const CITY_POPULATION = 20_000;

/** Every way to read the query: one span names the place, and the others say where it is. */
export function candidatesOf(gazetteer: Gazetteer, reading: Reading): readonly Candidate[] {
  const { tokens, hits, bias } = reading;
  const contexts = contextsOf(gazetteer, hits);
  const postcodes = findPostcodes(gazetteer, tokens);
  const firstPostcode = postcodeEntity(gazetteer, 0);
  const candidates: Candidate[] = [];
  for (const sense of sensesOf(gazetteer, reading, postcodes)) {
    const { entity, mask, points } = sense;
    const { inside, within, nearby, isNarrow, isElsewhere } = surroundingsOf(gazetteer, contexts, entity, mask);
    const around =
      inside | nearby | postcodeMask(gazetteer, postcodes, entity) | carCodeMask(gazetteer, tokens, entity);
    // The South of France is not the South Province of New Caledonia.
    const sovereign = BEARINGS.has(sense.key) ? 0 : sovereignMask(gazetteer, contexts, entity, mask);
    const named = mask | around | sovereign | airportMask(gazetteer, tokens, sense);
    const known = named | kindMask(gazetteer, tokens, entity);
    const left = weightLeft(tokens, known);
    const isConfirmed = entity >= firstPostcode && (known & ~mask) !== 0;
    const place = prominenceOf(gazetteer, entity) + nearnessOf(gazetteer, entity, bias);
    const extra =
      (isConfirmed ? CONFIRMED_POSTCODE_POINTS : 0) +
      (sovereign === 0 ? 0 : SOVEREIGN_POINTS) +
      (known === named ? 0 : KIND_POINTS);
    const fit = points + left * LEFT_POINTS + extra;
    candidates.push({
      ...sense,
      known,
      left,
      isPlaced: sense.isNamed || (around | sovereign) !== 0,
      isNarrow: sense.isNamed || isNarrow,
      isLoose: (nearby !== 0 && !isServed(gazetteer, tokens, entity, nearby)) || known !== named,
      isElsewhere: isElsewhere || isJoinedByOf(tokens, mask, inside),
      within,
      score: fit + place,
    });
  }
  return candidates;
}

function* sensesOf(
  gazetteer: Gazetteer,
  { tokens, hits, isCode }: Reading,
  postcodes: readonly PostcodeHit[],
): Generator<Sense> {
  const { postings } = gazetteer.names;
  const streetMask = maskOf(tokens, ({ isStreet }) => isStreet);
  const isNoStreet = ({ mask }: Span) => (mask & streetMask) === 0;
  const spelled = {
    hits: hits.filter(isNoStreet),
    spans: postcodes.length === 0 ? [] : [...spansOf(tokens, MAX_TOWN_TOKENS)].filter(isNoStreet),
  };
  for (const hit of hits) {
    const base = (hit.mask & streetMask) === 0 ? 0 : STREET_POINTS;
    for (let at = hit.start; at < hit.end; at++) {
      const posting = defined(postings[at]);
      const entity = posting >>> 1;
      if ((hit.isMisspelt && !isOfSize(gazetteer, entity)) || isNowhere(gazetteer, entity)) continue;
      const form = formOf(gazetteer, hit, posting);
      if (form !== undefined && (form !== 'code' || (base === 0 && hasCode(gazetteer, tokens, entity)))) {
        const isMeant = isCode && form === 'code';
        const points = base + (isMeant ? 0 : formPoints(gazetteer, form, posting, hit.key));
        yield { entity, mask: hit.mask, key: hit.key, form, points, isTaken: hit.isTaken, isNamed: false };
      }
    }
  }
  for (const postcode of postcodes) {
    const entity = postcodeEntity(gazetteer, postcode.row);
    const town = townMask(gazetteer, postcode, spelled);
    yield {
      entity,
      mask: postcode.mask | town,
      key: '',
      form: 'own',
      points: 0,
      isTaken: false,
      isNamed: town !== 0,
    };
  }
}

/** Undefined if the words only have the key of a code: "mount" has that of MT, Malta. */
function formOf(gazetteer: Gazetteer, { key, written, isMisspelt }: Hit, posting: number): NameForm | undefined {
  if (isMisspelt) return 'misspelt';
  if (key.length <= LONGEST_CODE_KEY) {
    const code = codesOf(gazetteer, posting >>> 1).find((other) => canonicalWord(other) === key);
    if (code !== undefined) return written === code ? 'code' : undefined;
  }
  return (posting & 1) === 1 ? 'own' : 'other';
}

/** Whether a code may be meant: that of an airport only alone, or beside a word for airports. */
function hasCode(gazetteer: Gazetteer, tokens: readonly Token[], entity: number): boolean {
  if (entityOf(gazetteer, entity).kind !== 'feature') return true;
  return tokens.length === 1 || tokens.some(({ word }) => SAYS_AIRPORT.test(word));
}

/** The words beside the code of an airport that say so: BER airport. */
function airportMask(gazetteer: Gazetteer, tokens: readonly Token[], { entity, form }: Sense): number {
  if (form !== 'code' || entityOf(gazetteer, entity).kind !== 'feature') return 0;
  return maskOf(tokens, ({ word }) => SAYS_AIRPORT.test(word));
}

/** Whether words name the town that an airport serves: National Airport, Washington. */
function isServed(gazetteer: Gazetteer, tokens: readonly Token[], entity: number, mask: number): boolean {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind !== 'feature' || !gazetteer.features.isAirport(row)) return false;
  const words = tokens.filter((_, index) => (mask & (1 << index)) !== 0);
  return words.map(({ key }) => key).join('') === keyOf(gazetteer.features.towns.at(row));
}

/** Whether "of" joins a name to the area around it, which makes another name: Gulf of America, United States of Brazil. */
function isJoinedByOf(tokens: readonly Token[], mask: number, inside: number): boolean {
  return tokens.some(({ word }, index) => {
    if (word !== 'of' || index === 0) return false;
    const [before, after] = [1 << (index - 1), 1 << (index + 1)];
    return ((mask & before) !== 0 && (inside & after) !== 0) || ((inside & before) !== 0 && (mask & after) !== 0);
  });
}

/** Codes of an area or an airport in lower case. */
function codesOf(gazetteer: Gazetteer, entity: number): readonly string[] {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'area') return [gazetteer.areas.codes.at(row).toLowerCase()];
  return kind === 'feature' ? gazetteer.features.codesOf(row) : [];
}

/** That of STE, whose key is "sainte". */
const LONGEST_CODE_KEY = 6;

const LATIN = /^[a-z]/;

function formPoints({ areas }: Gazetteer, form: NameForm, posting: number, key: string): number {
  if (form === 'code') return CODE_POINTS;
  const entity = posting >>> 1;
  const isCountry = entity < areas.count && areas.level[entity] === 0;
  const otherPoints = LATIN.test(key) ? OTHER_NAME_POINTS : OTHER_SCRIPT_POINTS;
  const points = (posting & 1) === 1 ? 0 : isCountry ? OTHER_COUNTRY_NAME_POINTS : otherPoints;
  return form === 'misspelt' ? points + MISSPELT_POINTS : points;
}

/** Whether an area has no point. No place of the data is in it, so it can only say where others are. */
function isNowhere({ areas }: Gazetteer, entity: number): boolean {
  return entity < areas.count && areas.latitudeE5[entity] === 0 && areas.longitudeE5[entity] === 0;
}

function isOfSize(gazetteer: Gazetteer, entity: number): boolean {
  const { areas, places } = gazetteer;
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind === 'postcode') return false;
  if (kind === 'feature') return prominenceOf(gazetteer, entity) >= Math.log10(MISSPELT_POPULATION);
  return kind === 'area' ? defined(areas.level[row]) < 2 : defined(places.population[row]) >= MISSPELT_POPULATION;
}

/** The words for a kind of place that fit the entity. */
function kindMask(gazetteer: Gazetteer, tokens: readonly Token[], entity: number): number {
  if (!tokens.some(({ isKind }) => isKind)) return 0;
  const { areas, places } = gazetteer;
  if (entity < areas.count) return maskOf(tokens, ({ word }) => AREA_KINDS.has(word));
  const { kind, row } = entityOf(gazetteer, entity);
  const isCity = kind === 'place' && defined(places.population[row]) >= CITY_POPULATION;
  return maskOf(tokens, ({ word }) => (isCity || word !== 'city') && TOWN_KINDS.has(word));
}

function weightLeft(tokens: readonly Token[], mask: number): number {
  let left = 0;
  for (const [index, { weight }] of tokens.entries()) if ((mask & (1 << index)) === 0) left += weight;
  return left;
}

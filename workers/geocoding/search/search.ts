import { defined } from '../../exact/defined.ts';
import type { Confidence, MatchCode } from '../address/address.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { distanceKm, type Point } from '../geometry/distance.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { confidenceOf, fitOf, isWorthAnAnswer, type Standing } from './confidence.ts';
import { findHits, type Hit, isWellKnown, spansOf } from './hits.ts';
import { maskOf, readQuery, type Token } from './query.ts';
import { isOtherReading, rankReadings } from './readings.ts';
import { misspellingsOf } from './spelling.ts';

export interface SearchQuery {
  readonly query: string;
  /** Most matches to return. */
  readonly limit: number;
  readonly bias: Point | undefined;
}

export interface Match {
  readonly entity: number;
  readonly confidence: Confidence;
  readonly matchCodes: readonly MatchCode[];
}

/** Matches whose scores differ by less than this are ambiguous. */
const AMBIGUOUS_POINTS = 1;
/** How much more of the query a match may leave unexplained than the best one. */
const LEFT_ALLOWANCE = 0.25;
/** Most matches that are compared for ambiguity, however few are requested. */
const RIVALS = 6;
const SAME_PLACE_KM = 30;
const MAX_MISSPELT_SPANS = 10;
const MAX_MISSPELT_TOKENS = 3;
const MISSPELT_LENGTHS = { min: 4, max: 24 };

/** The entities that a query may mean, best first. */
export function search(gazetteer: Gazetteer, { query, limit, bias }: SearchQuery): readonly Match[] {
  const tokens = readQuery(query, (key) => gazetteer.names.find(key) !== undefined);
  if (tokens.length === 0) return [];
  const hits = findHits(gazetteer, tokens);
  const isCode = AIRPORT_CODE.test(query.trim());
  const isCapital = query === query.toUpperCase();
  const rank = (found: readonly Hit[]) => {
    const candidates = candidatesOf(gazetteer, { tokens, hits: found, bias, isCode }).filter(
      (candidate) => fitOf(candidate, tokens) !== 'part' || isWorthAnAnswer(gazetteer, candidate, tokens),
    );
    return rankReadings(gazetteer, isCode ? withoutOthers(gazetteer, candidates) : candidates);
  };
  const exact = rank(hits);
  const named = hits.reduce((mask, hit) => mask | hit.mask, 0);
  const misspelt = findMisspelt(gazetteer, tokens, exact[0]?.known ?? named);
  const ranked = misspelt.length === 0 ? exact : rank([...hits, ...misspelt]);
  const [best] = ranked;
  if (best === undefined) return [];
  const isCoded = isCode && ranked.some((candidate) => isAirportCode(gazetteer, candidate));
  const asGood = isCoded ? ranked : ranked.filter((candidate) => isAsGood(candidate, best));
  const chosen = distinct(gazetteer, asGood, RIVALS);
  return chosen
    .slice(0, limit)
    .map((candidate) => describe(gazetteer, candidate, { chosen, tokens, isCode, isCapital }));
}

/** An IATA code, as a query. */
const AIRPORT_CODE = /^[A-Z]{3}$/;

/** If a code is that of an airport, only a town or a country may be meant besides. */
function withoutOthers(gazetteer: Gazetteer, candidates: readonly Candidate[]): readonly Candidate[] {
  if (!candidates.some((candidate) => isAirportCode(gazetteer, candidate))) return candidates;
  return candidates.filter((candidate) => {
    const { kind, row } = entityOf(gazetteer, candidate.entity);
    if (kind === 'area') return gazetteer.areas.level[row] === 0;
    return isAirportCode(gazetteer, candidate) || (kind === 'place' && candidate.form === 'own');
  });
}

function isAirportCode(gazetteer: Gazetteer, { entity, form }: Candidate): boolean {
  return form === 'code' && entityOf(gazetteer, entity).kind === 'feature';
}

/** Names that are one error away from spans that nothing explains. */
function findMisspelt(gazetteer: Gazetteer, tokens: readonly Token[], known: number): readonly Hit[] {
  const unknown = maskOf(tokens, ({ weight, isNumber }) => weight === 1 && !isNumber) & ~known;
  if (unknown === 0) return [];
  const hits: Hit[] = [];
  let spans = 0;
  for (const { key, mask } of spansOf(tokens, MAX_MISSPELT_TOKENS)) {
    if ((mask & unknown) === 0 || key.length < MISSPELT_LENGTHS.min || key.length > MISSPELT_LENGTHS.max) continue;
    if (spans++ === MAX_MISSPELT_SPANS) break;
    const own = gazetteer.names.find(key);
    // The name of a country or a city is no slip, wherever it is.
    if (own !== undefined && isWellKnown(gazetteer, own)) continue;
    const seen = new Set<number>();
    for (const meant of misspellingsOf(key)) {
      const posting = gazetteer.names.find(meant);
      if (posting === undefined || seen.has(posting.start)) continue;
      seen.add(posting.start);
      hits.push({ ...posting, written: meant, key: meant, mask, isMisspelt: true, isTaken: own !== undefined });
    }
  }
  return hits;
}

/** Whether a match explains as much of the query as the best one, by its own name if the best one is found by its own. */
function isAsGood({ left, form }: Candidate, best: Candidate): boolean {
  if (left > best.left + LEFT_ALLOWANCE || (form === 'misspelt' && best.form !== 'misspelt')) return false;
  return form === 'own' || best.form !== 'own';
}

/** The first matches, each place once. The data may have a city also as a section with its name. */
function distinct(gazetteer: Gazetteer, ranked: readonly Candidate[], count: number): readonly Candidate[] {
  const chosen: Candidate[] = [];
  for (const candidate of ranked) {
    if (chosen.length === count) break;
    if (!chosen.some((other) => isSame(gazetteer, candidate, other))) chosen.push(candidate);
  }
  return chosen;
}

function isSame(gazetteer: Gazetteer, a: Candidate, b: Candidate): boolean {
  if (a.entity === b.entity) return true;
  const kinds = [entityOf(gazetteer, a.entity).kind, entityOf(gazetteer, b.entity).kind];
  if (kinds.includes('area')) return isTown(gazetteer, a.entity, b.entity) || isTown(gazetteer, b.entity, a.entity);
  return distanceKm(pointOf(gazetteer, a.entity), pointOf(gazetteer, b.entity)) < SAME_PLACE_KM;
}

/** Whether a second-level division is a town: it holds a place that the same words name, such as the city of Łódź. */
function isTown(gazetteer: Gazetteer, division: number, place: number): boolean {
  const isDivision = division < gazetteer.areas.count && gazetteer.areas.level[division] === 2;
  return isDivision && place >= gazetteer.areas.count && holds(gazetteer, division, place);
}

interface Surroundings extends Pick<Standing, 'isCode' | 'isCapital'> {
  readonly chosen: readonly Candidate[];
  readonly tokens: readonly Token[];
}

function describe(gazetteer: Gazetteer, candidate: Candidate, { chosen, ...rest }: Surroundings): Match {
  const { tokens } = rest;
  const { entity, score } = candidate;
  const fit = fitOf(candidate, tokens);
  // New York City is in New York: neither match is wrong if the other one is meant.
  const rivals = chosen.filter(
    (other) =>
      other !== candidate && !holds(gazetteer, other.entity, entity) && !holds(gazetteer, entity, other.entity),
  );
  const rank = chosen.indexOf(candidate);
  const margins = rivals.map((other) => {
    const isEven = chosen.indexOf(other) < rank || isOtherReading(gazetteer, candidate, other);
    return Math.min(score - other.score, isEven ? 0 : Infinity);
  });
  const margin = Math.min(Infinity, ...margins);
  const isAmbiguous = margin < AMBIGUOUS_POINTS;
  const lead = isAmbiguous ? margin : Infinity;
  const confidence = confidenceOf(gazetteer, candidate, tokens, { ...rest, fit, lead });
  if (fit !== 'whole') return { entity, confidence, matchCodes: ['UpHierarchy'] };
  return { entity, confidence, matchCodes: [isAmbiguous ? 'Ambiguous' : 'Good'] };
}

function holds(gazetteer: Gazetteer, outer: number, inner: number): boolean {
  const { areas } = gazetteer;
  if (outer >= areas.count) return false;
  return holderOf(areas, areaOf(gazetteer, inner), defined(areas.level[outer])) === outer;
}

import { defined } from '../../exact/defined.ts';
import type { Confidence, MatchCode } from '../address/address.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { distanceKm, type Point } from '../geometry/distance.ts';
import { type Candidate, candidatesOf } from './candidates.ts';
import { findHits, type Hit, spansOf } from './hits.ts';
import { maskOf, readQuery, type Token } from './query.ts';
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
/** The share of the words outside street addresses that a likely match explains. */
const LIKELY_SHARE = { exact: 0.25, misspelt: 0.6 };
/** Most matches that are compared for ambiguity, however few are requested. */
const RIVALS = 6;
const SAME_PLACE_KM = 30;
const MAX_MISSPELT_SPANS = 10;
const MAX_MISSPELT_TOKENS = 3;
const MISSPELT_LENGTHS = { min: 4, max: 24 };

/** The entities that a query may mean, best first. Deterministic: of equal scores, the smaller entity comes first. */
export function search(gazetteer: Gazetteer, { query, limit, bias }: SearchQuery): readonly Match[] {
  const tokens = readQuery(query);
  if (tokens.length === 0) return [];
  const hits = findHits(tokens, gazetteer.names);
  const exact = rank(candidatesOf(gazetteer, { tokens, hits, bias }));
  const [bestExact] = exact;
  const misspelt = findMisspelt(gazetteer, tokens, bestExact === undefined ? 0 : bestExact.known);
  const ranked =
    misspelt.length === 0 ? exact : rank(candidatesOf(gazetteer, { tokens, hits: [...hits, ...misspelt], bias }));
  const [best] = ranked;
  if (best === undefined || !isLikely(best, tokens)) return [];
  const asGood = ranked.filter((candidate) => isAsGood(candidate, best));
  const chosen = distinct(gazetteer, asGood, RIVALS);
  return chosen.slice(0, limit).map((candidate) => describe(gazetteer, candidate, { chosen, tokens }));
}

function rank(candidates: readonly Candidate[]): readonly Candidate[] {
  return candidates.toSorted((a, b) => b.score - a.score || a.entity - b.entity);
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
    const seen = new Set<number>();
    for (const meant of misspellingsOf(key)) {
      const posting = gazetteer.names.find(meant);
      if (posting === undefined || seen.has(posting.start)) continue;
      seen.add(posting.start);
      hits.push({ ...posting, key: meant, mask, isMisspelt: true });
    }
  }
  return hits;
}

/** Whether a match explains enough of the query. One word of a long text is not enough for an answer. */
function isLikely({ known, isMisspelt }: Candidate, tokens: readonly Token[]): boolean {
  const words = tokens.map(({ isStreet, isNumber, isUnspaced, weight }) => {
    return isStreet || isNumber || isUnspaced ? 0 : weight;
  });
  const total = words.reduce((sum, weight) => sum + weight, 0);
  const explained = words.reduce((sum, weight, index) => ((known & (1 << index)) === 0 ? sum : sum + weight), 0);
  return explained >= total * (isMisspelt ? LIKELY_SHARE.misspelt : LIKELY_SHARE.exact);
}

/** Whether a match explains as much of the query as the best one, by its own name if the best one is found by its own. */
function isAsGood({ left, isOwnName, isMisspelt }: Candidate, best: Candidate): boolean {
  if (left > best.left + LEFT_ALLOWANCE || (isMisspelt && !best.isMisspelt)) return false;
  return isOwnName || !best.isOwnName;
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
  if (kinds.includes('area')) return false;
  return distanceKm(pointOf(gazetteer, a.entity), pointOf(gazetteer, b.entity)) < SAME_PLACE_KM;
}

interface Surroundings {
  readonly chosen: readonly Candidate[];
  readonly tokens: readonly Token[];
}

function describe(gazetteer: Gazetteer, candidate: Candidate, { chosen, tokens }: Surroundings): Match {
  const { entity, known, left, score, isMisspelt } = candidate;
  const isWhole = tokens.every(({ isFiller, isStreet }, index) => {
    return (known & (1 << index)) !== 0 || (isFiller && !isStreet);
  });
  if (!isWhole) return { entity, confidence: left > 1.5 || isMisspelt ? 'Low' : 'Medium', matchCodes: ['UpHierarchy'] };
  const rivals = chosen.filter((other) => other !== candidate && Math.abs(other.score - score) < AMBIGUOUS_POINTS);
  // New York City is in New York: neither match is wrong if the other one is meant.
  const isAmbiguous = rivals.some(
    (other) => !holds(gazetteer, other.entity, entity) && !holds(gazetteer, entity, other.entity),
  );
  if (isAmbiguous) return { entity, confidence: isMisspelt ? 'Low' : 'Medium', matchCodes: ['Ambiguous'] };
  return { entity, confidence: isMisspelt ? 'Medium' : 'High', matchCodes: ['Good'] };
}

function holds(gazetteer: Gazetteer, outer: number, inner: number): boolean {
  const { areas } = gazetteer;
  if (outer >= areas.count) return false;
  return holderOf(areas, areaOf(gazetteer, inner), defined(areas.level[outer])) === outer;
}

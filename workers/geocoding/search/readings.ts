import { defined } from '../../exact/defined.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { distanceKm } from '../geometry/distance.ts';
import { keyOf } from '../text/fold.ts';
import type { Candidate } from './candidates.ts';
import { isSection } from './prominence.ts';
import { SAYS_AIRPORT } from './street-words.ts';

/** An airport within this distance of a town with its name has its name from the town. */
const AIRPORT_KM = 30;

/**
 * The candidates that no better reading excludes, best first. One in an area that the query names excludes those that are
 * only near a town of that name, and a town excludes airports that are named after it. Deterministic: of equal scores, the
 * smaller entity comes first.
 */
export function rankReadings(gazetteer: Gazetteer, candidates: readonly Candidate[]): readonly Candidate[] {
  const firm = candidates.filter((candidate) => isFirm(gazetteer, candidate));
  const isReplaced = (division: Candidate) =>
    division.within !== undefined && firm.some((place) => isBefore(gazetteer, place, division));
  const leastIn = (isIn: (candidate: Candidate) => boolean) =>
    firm.reduce((least, candidate) => (isIn(candidate) ? Math.min(least, candidate.left) : least), Infinity);
  const least = leastIn(() => true);
  // Harlem is near the airports that Manhattan has given its name to.
  const isOfTown = (candidate: Candidate) =>
    candidate.isLoose &&
    isNamedAfterTown(gazetteer, candidate) &&
    firm.some((town) => town.mask === candidate.mask && isNear(gazetteer, candidate, town));
  const likely = candidates.filter((candidate) => {
    if (candidate.left < least) return !isOfTown(candidate);
    if (isReplaced(candidate)) return false;
    if (!isNamedAfterTown(gazetteer, candidate)) return !candidate.isLoose;
    return !candidate.isPlaced && !firm.some((town) => isNear(gazetteer, candidate, town));
  });
  // A country or a state is more likely meant than a county of that name, and a town than what has its name too.
  const leastLarge = leastIn((candidate) => !isInDistrict(gazetteer, candidate));
  const leastTown = leastIn((candidate) => candidate.form === 'own' && !isFeature(gazetteer, candidate));
  const isLater = (candidate: Candidate) =>
    (candidate.left >= leastLarge && isInDistrict(gazetteer, candidate)) ||
    (candidate.left >= leastTown && candidate.isPlaced && candidate.form !== 'own' && isFeature(gazetteer, candidate));
  return likely.toSorted((a, b) => Number(isLater(a)) - Number(isLater(b)) || b.score - a.score || a.entity - b.entity);
}

/** Whether a division only says where a place is that the words before it name by its own name: Kanata, Ontario. */
function isBefore(gazetteer: Gazetteer, place: Candidate, division: Candidate): boolean {
  if (place.form !== 'own' || place.left > division.left || (place.mask & division.mask) !== 0) return false;
  const isFirst = (place.mask & -place.mask) >>> 0 < (division.mask & -division.mask) >>> 0;
  const isInside = division.entity < gazetteer.areas.count && isWithin(gazetteer, place, division.entity);
  return isFirst && isInside && place.entity >= gazetteer.areas.count;
}

/** Whether the largest area that places a candidate is a second-level division. */
function isInDistrict({ areas }: Gazetteer, { within }: Candidate): boolean {
  return within !== undefined && areas.level[within] === 2;
}

function isFirm(gazetteer: Gazetteer, candidate: Candidate): boolean {
  if (candidate.isLoose || (candidate.form !== 'own' && candidate.form !== 'other')) return false;
  return !isNamedAfterTown(gazetteer, candidate);
}

/** Whether a candidate is an airport whose name, as the query has it, does not say so. */
function isNamedAfterTown(gazetteer: Gazetteer, { entity, form, key }: Candidate): boolean {
  const { kind, row } = entityOf(gazetteer, entity);
  if (kind !== 'feature' || form === 'code' || SAYS_AIRPORT.test(key)) return false;
  return gazetteer.features.isAirport(row) || SAYS_AIRPORT.test(keyOf(gazetteer.features.names.at(row)));
}

function isNear(gazetteer: Gazetteer, a: Candidate, b: Candidate): boolean {
  return distanceKm(pointOf(gazetteer, a.entity), pointOf(gazetteer, b.entity)) < AIRPORT_KM;
}

/**
 * Whether the same words name both and place both, but in different ways: IN is India and Indiana, and a river is no town.
 * Their sizes do not say which of them is meant.
 */
export function isOtherReading(gazetteer: Gazetteer, candidate: Candidate, other: Candidate): boolean {
  if (candidate.mask !== other.mask || (candidate.form !== other.form && other.form !== 'own')) return false;
  if (candidate.within === undefined || other.within === undefined) return false;
  if (isInDistrict(gazetteer, candidate) || isInDistrict(gazetteer, other)) return false;
  if (isFeature(gazetteer, candidate) !== isFeature(gazetteer, other)) {
    return !isSection(gazetteer, candidate.entity) && !isSection(gazetteer, other.entity);
  }
  return !isWithin(gazetteer, candidate, other.within) && !isWithin(gazetteer, other, candidate.within);
}

function isFeature(gazetteer: Gazetteer, { entity }: Candidate): boolean {
  return entityOf(gazetteer, entity).kind === 'feature';
}

function isWithin(gazetteer: Gazetteer, { entity }: Candidate, area: number): boolean {
  const { areas } = gazetteer;
  return holderOf(areas, areaOf(gazetteer, entity), defined(areas.level[area])) === area;
}

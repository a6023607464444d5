import { defined } from '../../exact/defined.ts';
import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, pointOf } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { distanceKm } from '../geometry/distance.ts';
import type { Candidate } from './candidates.ts';

/** An airport within this distance of a town with its name has its name from the town. */
const AIRPORT_KM = 30;
const SAYS_AIRPORT =
  /air(port|field|base|forcebase|strip)|afb|aer[eo]*(port|drom|puerto)|flughafen|flugplatz|lufthavn|flygplats|international|机场|機場|空港|공항|аэропорт/;

/**
 * The candidates that no better reading excludes. One that is in the division that the query names excludes those that
 * are only near a town of that name, and a town excludes airports that are named after it.
 */
export function likelyReadings(gazetteer: Gazetteer, candidates: readonly Candidate[]): readonly Candidate[] {
  const firm = candidates.filter((candidate) => isFirm(gazetteer, candidate));
  const least = Math.min(...firm.map(({ left }) => left));
  return candidates.filter((candidate) => {
    if (candidate.left < least) return true;
    if (!isNamedAfterTown(gazetteer, candidate)) return !candidate.isLoose;
    return !candidate.isPlaced && !firm.some((town) => isNear(gazetteer, candidate, town));
  });
}

function isFirm(gazetteer: Gazetteer, candidate: Candidate): boolean {
  if (candidate.isLoose || (candidate.form !== 'own' && candidate.form !== 'other')) return false;
  return !isNamedAfterTown(gazetteer, candidate);
}

/** Whether a candidate is an airport whose name, as the query has it, does not say so. */
function isNamedAfterTown(gazetteer: Gazetteer, { entity, form, key }: Candidate): boolean {
  const { kind, row } = entityOf(gazetteer, entity);
  return kind === 'feature' && form !== 'code' && gazetteer.features.isAirport(row) && !SAYS_AIRPORT.test(key);
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
  if (isFeature(gazetteer, candidate) !== isFeature(gazetteer, other)) return true;
  return !isWithin(gazetteer, candidate, other.within) && !isWithin(gazetteer, other, candidate.within);
}

function isFeature(gazetteer: Gazetteer, { entity }: Candidate): boolean {
  return entityOf(gazetteer, entity).kind === 'feature';
}

function isWithin(gazetteer: Gazetteer, { entity }: Candidate, area: number): boolean {
  const { areas } = gazetteer;
  return holderOf(areas, areaOf(gazetteer, entity), defined(areas.level[area])) === area;
}

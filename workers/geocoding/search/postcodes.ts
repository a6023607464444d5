import { holderOf } from '../gazetteer/areas.ts';
import { areaOf, entityOf, pointOf, postcodeEntity } from '../gazetteer/entities.ts';
import type { Gazetteer } from '../gazetteer/gazetteer.ts';
import { distanceKm } from '../geometry/distance.ts';
import { keyOf } from '../text/fold.ts';
import type { Hit } from './hits.ts';
import type { Token } from './query.ts';

export interface PostcodeHit {
  /** Row of the postcode table. */
  readonly row: number;
  readonly mask: number;
}

const PLUS_4 = /^\d{4}$/;
const REACH_KM = 80;

/** US ZIP codes among the tokens. Four further digits may follow a code. */
export function findPostcodes({ postcodes }: Gazetteer, tokens: readonly Token[]): readonly PostcodeHit[] {
  return tokens.flatMap(({ key, isStreet }, index) => {
    const row = isStreet ? undefined : postcodes.find(key);
    if (row === undefined) return [];
    const next = tokens[index + 1];
    const hasPlus4 = next !== undefined && PLUS_4.test(next.key);
    return [{ row, mask: (hasPlus4 ? 3 : 1) << index }];
  });
}

/** The tokens that name the town of a postcode. */
export function townMask({ postcodes }: Gazetteer, { row }: PostcodeHit, hits: readonly Hit[]): number {
  const town = keyOf(postcodes.towns.at(row));
  return hits.reduce((mask, hit) => (hit.key === town ? mask | hit.mask : mask), 0);
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

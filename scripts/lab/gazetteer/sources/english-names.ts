import { defined } from '../../../../workers/exact/defined.ts';
import { readTable } from './tables.ts';

/**
 * Reads english-names.tsv: current English names, for which the catalog has an outdated or ancient one, or that are spelled
 * unlike the local name. Country, GeoNames id of the place or code of the division, and the name.
 */
export function readEnglishNames(): ReadonlyMap<string, string> {
  return new Map(readTable('english-names.tsv', 3).map(([, key, name]) => [defined(key), defined(name)]));
}

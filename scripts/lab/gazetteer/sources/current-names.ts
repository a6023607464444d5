import { defined } from '../../../../workers/exact/defined.ts';
import { readTable } from './tables.ts';

/**
 * Reads the names in a language of current-names.tsv: current names, for which the catalog has an outdated or ancient one, or
 * that are spelled unlike the local name. Country, GeoNames id of the place or code of the division, language, and the name.
 */
export function readCurrentNames(language: string): ReadonlyMap<string, string> {
  const rows = readTable('current-names.tsv', 4).filter(([, , of]) => of === language);
  return new Map(rows.map(([, key, , name]) => [defined(key), defined(name)]));
}

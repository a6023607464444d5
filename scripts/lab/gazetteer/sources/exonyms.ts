import { defined } from '../../../../workers/exact/defined.ts';
import { FIRST_NEWER_ID } from './newer-places.ts';
import type { GeoNamesPlace } from './place.ts';
import { namesIn, readTable } from './tables.ts';

/** Names of a place in another language, or of another time, that GeoNames lacks. */
export interface Exonym {
  readonly countryCode: string;
  /** The name of the place in GeoNames. */
  readonly place: string;
  /** The id of the place in GeoNames. 0 if it is only in the newer list, which has none: the country has one place of that name. */
  readonly id: number;
  /** ISO 639-1. */
  readonly language: string;
  readonly names: readonly string[];
}

/** Reads exonyms.tsv: country, place, GeoNames id, language, and names with "|" between them. */
export function readExonyms(): readonly Exonym[] {
  return readTable('exonyms.tsv', 5).map((fields) => {
    const field = (index: number) => defined(fields[index]);
    return {
      countryCode: field(0),
      place: field(1),
      id: Number(field(2)),
      language: field(3),
      names: namesIn(field(4)),
    };
  });
}

/**
 * The places with their exonyms among the other names.
 * @throws {Error} if the place of an exonym is not among them
 */
export function withExonyms(places: readonly GeoNamesPlace[], exonyms: readonly Exonym[]): readonly GeoNamesPlace[] {
  const byId = Map.groupBy(exonyms, ({ id, countryCode, place }) => id || `${countryCode} ${place}`);
  const named = places.map((place) => {
    const key = place.id < FIRST_NEWER_ID ? place.id : `${place.countryCode} ${place.name}`;
    const more = byId.get(key) ?? [];
    for (const { countryCode, place: name } of more) {
      if (countryCode === place.countryCode && (name === place.name || name === place.formerName)) byId.delete(key);
    }
    return more.length === 0
      ? place
      : { ...place, alternates: [...place.alternates, ...more.flatMap(({ names }) => names)] };
  });
  const [unknown] = [...byId.values()].flat();
  if (unknown !== undefined) throw new Error(`exonyms.tsv: ${unknown.place} (${unknown.id}) is not a known place`);
  return named;
}

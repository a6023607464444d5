import { defined } from '../../../../workers/exact/defined.ts';
import { namesIn, readTable } from './tables.ts';

/** A natural feature, a region without an administration of its own, or a landmark. */
export interface KnownFeature {
  readonly kind: string;
  readonly latitude: number;
  readonly longitude: number;
  /** ISO 3166-1 alpha-2. Undefined if it is in several countries or in none. */
  readonly countryCode: string | undefined;
  /** 0: only said with a town in it, 1: known in its country, 2: known abroad, 3: known everywhere. */
  readonly fame: number;
  /** Towns within this distance are said to be in it: Newcastle, County Down. 0 for none. */
  readonly reachKm: number;
  /** The first is the name in English. */
  readonly names: readonly string[];
}

/** Reads features.tsv: kind, latitude, longitude, country or "-", fame, reach, and names with "|" between them. */
export function readFeatures(): readonly KnownFeature[] {
  return readTable('features.tsv', 7).map((fields) => {
    const field = (index: number) => defined(fields[index]);
    return {
      kind: field(0),
      latitude: Number(field(1)),
      longitude: Number(field(2)),
      countryCode: field(3) === '-' ? undefined : field(3),
      fame: Number(field(4)),
      reachKm: Number(field(5)),
      names: namesIn(field(6)),
    };
  });
}

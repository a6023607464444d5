import type { GeocodeQuery, ReverseQuery } from '../../../services/maps/geocoder.ts';
import type { ZonedAddress } from '../../../workers/geocoding/address.ts';

/** What is measured; UTC offsets are those at `atMs`, in milliseconds since the epoch. */
export interface PlaceFinder {
  readonly geocode: (query: GeocodeQuery, atMs: number) => readonly ZonedAddress[];
  readonly reverse: (query: ReverseQuery, atMs: number) => readonly ZonedAddress[];
}

/** Opens the embedded gazetteer. */
export async function openFinder(): Promise<PlaceFinder> {
  throw new Error('there is no embedded gazetteer to measure yet');
}

import { readGazetteer } from '../../../../services/maps/geocoder/gazetteer-files.ts';
import type { GeocodeQuery, ReverseQuery } from '../../../../services/maps/geocoder/geocoder.ts';
import type { ZonedAddress } from '../../../../workers/geocoding/address/address.ts';
import { openGazetteer } from '../../../../workers/geocoding/gazetteer/gazetteer.ts';
import { createGeocoding } from '../../../../workers/geocoding/geocoding.ts';

/** The geocoder under test. UTC offsets in results are those at `atMs`, in milliseconds since the epoch. */
export interface PlaceFinder {
  readonly geocode: (query: GeocodeQuery, atMs: number) => readonly ZonedAddress[];
  readonly reverse: (query: ReverseQuery, atMs: number) => readonly ZonedAddress[];
}

/** Opens the embedded gazetteer. */
export async function openFinder(): Promise<PlaceFinder> {
  return createGeocoding(openGazetteer(await readGazetteer()));
}

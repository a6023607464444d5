import { readGazetteer } from '../../../services/maps/geocoder/gazetteer-files.ts';
import { type Gazetteer, openGazetteer } from '../../../workers/geocoding/gazetteer/gazetteer.ts';

/** The product's own data. */
export async function openOwnGazetteer(): Promise<Gazetteer> {
  return openGazetteer(await readGazetteer());
}

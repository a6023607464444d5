import { readGazetteer } from '../../../services/maps/geocoder/gazetteer-files.ts';
import { type Gazetteer, openGazetteer } from '../../../workers/geocoding/gazetteer/gazetteer.ts';

/** Opens the gazetteer of the product. */
export async function openOwnGazetteer(): Promise<Gazetteer> {
  return openGazetteer(await readGazetteer());
}

import { defined } from '../../../../../workers/exact/defined.ts';
import { namesIn } from '../../../../../workers/geocoding/format/languages.ts';
import { holderOf } from '../../../../../workers/geocoding/gazetteer/areas.ts';
import { pointOf, postcodeEntity } from '../../../../../workers/geocoding/gazetteer/entities.ts';
import { distanceKm } from '../../../../../workers/geocoding/geometry/distance.ts';
import { search } from '../../../../../workers/geocoding/search/search.ts';
import type { Finding, Scan } from './scan.ts';

/** Every one of so many codes is asked for. */
const STEP = 10;
const NEAR_KM = 25;

/** A postcode is found with its country, and with its town. */
export const postcodes: Scan = {
  name: 'postcodes',
  accepted: {},
  run: ({ gazetteer }) => {
    const { areas, places, postcodes } = gazetteer;
    const names = namesIn('en');
    const findings: Finding[] = [];
    let checked = 0;
    for (let row = 0; row < postcodes.area.length; row += STEP) {
      const code = postcodes.codeAt(row);
      const countryOf = (of: number) => holderOf(areas, postcodes.area[of], 0);
      const country = defined(countryOf(row));
      const place = postcodes.placeOf(row);
      const town = postcodes.townOf(row) || (place === undefined ? '' : places.names.at(place));
      const points = postcodes
        .find(code)
        .filter((other) => countryOf(other) === country)
        .map((other) => pointOf(gazetteer, postcodeEntity(gazetteer, other)));
      const queries = [
        `${code}, ${names.country(areas.codes.at(country))}`,
        ...(town === '' ? [] : [`${code} ${town}`]),
      ];
      for (const query of queries) {
        checked++;
        const [match] = search(gazetteer, { query, limit: 1, bias: undefined });
        if (match === undefined || match.confidence === 'Low') continue;
        const found = pointOf(gazetteer, match.entity);
        if (points.some((point) => distanceKm(point, found) <= NEAR_KM)) continue;
        const at = `${found.latitude.toFixed(2)}, ${found.longitude.toFixed(2)}`;
        findings.push({ subject: `${query} (row ${row})`, fault: `${match.confidence} at ${at}` });
      }
    }
    return { checked, findings };
  },
};

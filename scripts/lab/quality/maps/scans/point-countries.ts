import { placesOf } from './place-subjects.ts';
import type { Scan } from './scan.ts';

/** Points of places and stored borders are inaccurate by this distance. */
const BORDER_KM = 10;

/** Every place lies in its country, or near the border of it. */
export const pointCountries: Scan = {
  name: 'point-countries',
  accepted: {},
  run: ({ gazetteer }) => {
    const { areas, boundaries } = gazetteer;
    const findings = [];
    let checked = 0;
    for (const { point, country, subject } of placesOf(gazetteer)) {
      const { latitude, longitude } = point;
      const at = boundaries.countryAt(latitude, longitude);
      checked++;
      if (at === undefined || at === country || boundaries.isNearBorder(latitude, longitude, BORDER_KM)) continue;
      findings.push({ subject, fault: `lies in ${areas.codes.at(at)}` });
    }
    return { checked, findings };
  },
};

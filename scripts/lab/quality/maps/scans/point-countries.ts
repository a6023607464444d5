import { placesOf } from './place-subjects.ts';
import type { Scan } from './scan.ts';

/** Points of places and stored borders are inaccurate by this distance. */
const BORDER_KM = 10;

const RIVER = 'the border is the river Ubangi, and the place is on its bank';
const CONTESTED = 'two countries claim the place';

/** Every place lies in its country, or near the border of it. */
export const pointCountries: Scan = {
  name: 'point-countries',
  accepted: {
    'Libenge, CD (3.65, 18.64)': RIVER,
    'Bosobolo, CD (4.19, 19.88)': RIVER,
    'Zongo, CD (4.34, 18.59)': RIVER,
    'Ariel, IL (32.11, 35.18)': CONTESTED,
    'Revava, IL (32.12, 35.13)': CONTESTED,
    'Miẕpé Yeriẖo, IL (31.82, 35.39)': CONTESTED,
    'Kokhav HaShaẖar, IL (31.96, 35.35)': CONTESTED,
    'Kiryat Netafim, IL (32.12, 35.11)': CONTESTED,
    'Nahliel, IL (31.97, 35.14)': CONTESTED,
    'Hoàng Sa, VN (16.67, 112.73)': CONTESTED,
    'Hoàng Sa, VN (16.84, 112.34)': CONTESTED,
    'Abū Mūsá, AE (25.87, 55.02)': CONTESTED,
    'Smara, MA (26.74, -11.67)': CONTESTED,
    'Gueltat Zemmour, MA (25.14, -12.37)': CONTESTED,
    'Aousserd, MA (22.55, -14.33)': CONTESTED,
    'Imlili, MA (22.66, -15.61)': CONTESTED,
    'Imlili, MA (23.23, -16.08)': CONTESTED,
  },
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

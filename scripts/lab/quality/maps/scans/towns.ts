import { defined } from '../../../../../workers/exact/defined.ts';
import { namesIn } from '../../../../../workers/geocoding/format/languages.ts';
import { holderOf } from '../../../../../workers/geocoding/gazetteer/areas.ts';
import { faultOf } from './named-in.ts';
import type { Scan } from './scan.ts';

const TOWN_POPULATION = 5000;

/** Every town is found with the English name of its country. */
export const towns: Scan = {
  name: 'towns',
  accepted: {
    'Mount Cook, New Zealand (-41.30, 174.77)': 'a part of Wellington; the mountain is meant',
  },
  run: ({ gazetteer }) => {
    const { areas, places } = gazetteer;
    const names = namesIn('en');
    const findings = [];
    // The most populous places come first.
    const count = places.population.findIndex((population) => population < TOWN_POPULATION);
    for (let row = 0; row < count; row++) {
      const country = defined(holderOf(areas, places.area[row], 0));
      const query = `${places.names.at(row)}, ${names.country(areas.codes.at(country))}`;
      const found = faultOf(gazetteer, { row, area: country, level: 0, query });
      if (found !== undefined) findings.push(found);
    }
    return { checked: count, findings };
  },
};

import { defined } from '../../../../../workers/exact/defined.ts';
import { holderOf } from '../../../../../workers/geocoding/gazetteer/areas.ts';
import { faultOf } from './named-in.ts';
import type { Scan } from './scan.ts';

/** Every place of the United States is found with the code of its state, and with the state's name. */
export const usPlaces: Scan = {
  name: 'us-places',
  accepted: {},
  run: ({ gazetteer }) => {
    const { areas, places } = gazetteer;
    const findings = [];
    let checked = 0;
    for (let row = 0; row < places.count; row++) {
      const country = defined(holderOf(areas, places.area[row], 0));
      const state = holderOf(areas, places.area[row], 1);
      if (areas.codes.at(country) !== 'US' || state === undefined) continue;
      for (const written of [areas.codes.at(state), areas.names.at(state)]) {
        const query = `${places.names.at(row)}, ${written}`;
        const found = faultOf(gazetteer, { row, area: state, level: 1, query });
        if (found !== undefined) findings.push(found);
        checked++;
      }
    }
    return { checked, findings };
  },
};

import { describe } from '../../../../../workers/geocoding/format/describe.ts';
import { placeEntity } from '../../../../../workers/geocoding/gazetteer/entities.ts';
import { timeZonesAt } from '../../../../../workers/geocoding/zone/time-zone.ts';
import { utcOffsetAt } from '../../../../../workers/geocoding/zone/utc-offset.ts';
import { placesOf } from './place-subjects.ts';
import type { Scan } from './scan.ts';

/** In January and in July, so clocks of both seasons are compared. */
const INSTANTS = [Date.parse('2026-01-15T00:00:00Z'), Date.parse('2026-07-15T00:00:00Z')];

const LAKE = 'its point is in the waters of the other shore';
const CONTESTED = 'two countries claim the place, and it has the time of its country in the data';
const BORDER = 'its point is just beyond the border of its country';

/** Every place has the time of its point. At sea no land's time is there, so a point in water is not compared. */
export const pointZones: Scan = {
  name: 'point-zones',
  accepted: {
    'Liuli, TZ (-11.08, 34.63)': LAKE,
    'Mbamba Bay, TZ (-11.28, 34.77)': LAKE,
    'Manda, TZ (-10.47, 34.58)': LAKE,
    'Buq‘ātā, SY (33.20, 35.78)': CONTESTED,
    'Mas‘adah, SY (33.23, 35.76)': CONTESTED,
    'Abbaspur, IN (33.82, 73.98)': CONTESTED,
    'Fārward Kahūta, IN (33.88, 74.11)': CONTESTED,
    'Margherita, UG (0.42, 29.89)': BORDER,
    'Canoas, CR (8.53, -82.84)': BORDER,
    'Nganglam, BT (26.78, 91.25)': BORDER,
    'Ak-Say, KG (39.87, 70.52)': BORDER,
  },
  run: ({ gazetteer }, onPlace) => {
    const findings = [];
    let checked = 0;
    const description = { language: undefined, atMs: 0, confidence: 'High', matchCodes: ['Good'] } as const;
    for (const { row, point, subject } of placesOf(gazetteer)) {
      onPlace();
      const zones = timeZonesAt(point);
      if (zones.some(isAtSea)) continue;
      checked++;
      const { timeZone } = describe(gazetteer, placeEntity(gazetteer, row), description);
      const isRight = timeZone !== null && zones.some((zone) => haveSameTime(zone, timeZone));
      if (!isRight) findings.push({ subject, fault: `${timeZone} instead of ${zones.join(' or ')}` });
    }
    return { checked, findings };
  },
};

function isAtSea(zone: string): boolean {
  return zone.startsWith('Etc/');
}

function haveSameTime(zone: string, other: string): boolean {
  return zone === other || INSTANTS.every((atMs) => utcOffsetAt(zone, atMs) === utcOffsetAt(other, atMs));
}

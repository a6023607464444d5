import { describe } from '../../../../../workers/geocoding/format/describe.ts';
import { placeEntity } from '../../../../../workers/geocoding/gazetteer/entities.ts';
import { timeZonesAt } from '../../../../../workers/geocoding/zone/time-zone.ts';
import { utcOffsetAt } from '../../../../../workers/geocoding/zone/utc-offset.ts';
import { placesOf } from './place-subjects.ts';
import type { Scan } from './scan.ts';

/** In January and in July, so clocks of both seasons are compared. */
const INSTANTS = [Date.parse('2026-01-15T00:00:00Z'), Date.parse('2026-07-15T00:00:00Z')];

/** Every place has the time of its point. At sea no land's time is there, so a point in water is not compared. */
export const pointZones: Scan = {
  name: 'point-zones',
  accepted: {},
  run: ({ gazetteer }) => {
    const findings = [];
    let checked = 0;
    const description = { language: undefined, atMs: 0, confidence: 'High', matchCodes: ['Good'] } as const;
    for (const { row, point, subject } of placesOf(gazetteer)) {
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

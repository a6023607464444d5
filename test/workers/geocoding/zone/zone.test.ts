import test from 'ava';
import { timeZoneAt } from '../../../../workers/geocoding/zone/time-zone.ts';
import { utcOffsetAt } from '../../../../workers/geocoding/zone/utc-offset.ts';

const OFFSETS: readonly (readonly [zone: string, instant: string, offset: string])[] = [
  ['Asia/Kathmandu', '2026-01-15T00:00:00Z', '+05:45'],
  ['Australia/Lord_Howe', '2026-01-15T00:00:00Z', '+11:00'],
  ['Australia/Lord_Howe', '2026-07-15T00:00:00Z', '+10:30'],
  ['Pacific/Chatham', '2026-01-15T00:00:00Z', '+13:45'],
  ['America/St_Johns', '2026-07-15T00:00:00Z', '-02:30'],
  ['Pacific/Marquesas', '2026-07-15T00:00:00Z', '-09:30'],
  ['Etc/GMT+12', '2026-07-15T00:00:00Z', '-12:00'],
  ['Europe/London', '2026-01-15T00:00:00Z', '+00:00'],
  ['Europe/London', '1970-01-15T00:00:00Z', '+01:00'],
  ['Africa/Monrovia', '1960-01-01T00:00:00Z', '-00:44'],
];

for (const [zone, instant, offset] of OFFSETS) {
  test(`${zone} is at ${offset} at ${instant}`, (t) => t.is(utcOffsetAt(zone, Date.parse(instant)), offset));
}

test('an offset changes at the same instant as the clocks', (t) => {
  const change = Date.parse('2026-03-29T01:00:00Z');
  t.is(utcOffsetAt('Europe/Berlin', change - 1), '+01:00');
  t.is(utcOffsetAt('Europe/Berlin', change), '+02:00');
});

test('finds the zones of points on land, at sea, at the date line and at the poles', (t) => {
  t.is(timeZoneAt({ latitude: 27.7, longitude: 85.3 }), 'Asia/Kathmandu');
  t.is(timeZoneAt({ latitude: 0, longitude: -30 }), 'Etc/GMT+2');
  t.is(timeZoneAt({ latitude: 0, longitude: 180 }), timeZoneAt({ latitude: 0, longitude: -180 }));
  t.is(timeZoneAt({ latitude: 90, longitude: 0 }), null);
  t.is(timeZoneAt({ latitude: -90, longitude: 0 }), 'Antarctica/McMurdo');
});

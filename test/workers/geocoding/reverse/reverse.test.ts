import test from 'ava';
import { openBoundaries } from '../../../../workers/geocoding/boundaries/boundaries.ts';
import { encodeLines, readLines } from '../../../../workers/geocoding/columns/columns.ts';
import type { AreaTable } from '../../../../workers/geocoding/gazetteer/areas.ts';
import { FEATURES } from '../../../../workers/geocoding/gazetteer/places.ts';
import { createReverse } from '../../../../workers/geocoding/reverse/reverse.ts';
import { encodeRectangles } from '../boundaries/lattice.ts';

// Areas 0 and 1 are countries. 2 and 3 are divisions of country 0, and 4 of country 1. 5 is a district of division 2.
const PARENT = Uint16Array.of(0, 1, 0, 0, 1, 2);
const none = readLines(encodeLines([]));
const areas: AreaTable = {
  count: PARENT.length,
  level: Uint8Array.of(0, 0, 1, 1, 1, 2),
  parent: PARENT,
  population: new Uint32Array(PARENT.length),
  fame: new Uint8Array(PARENT.length),
  latitudeE5: new Int32Array(PARENT.length),
  longitudeE5: new Int32Array(PARENT.length),
  codes: none,
  names: none,
};

const ATLAS = [
  // From west to east: divisions 2 and 3 of country 0, and division 4 of country 1. Territorial waters surround them.
  { layer: 'divisions.', label: 3, west: 0, south: 0, east: 1, north: 1 },
  { layer: 'divisions.', label: 4, west: 1, south: 0, east: 2, north: 1 },
  { layer: 'divisions.', label: 5, west: 2, south: 0, east: 3, north: 1 },
  { layer: 'countries.', label: 1, west: -0.2, south: -0.2, east: 1.98, north: 1.2 },
  { layer: 'countries.', label: 2, west: 1.98, south: -0.2, east: 3.2, north: 1.2 },
];
const layer = (name: string) =>
  encodeRectangles(
    ATLAS.filter((rectangle) => rectangle.layer === name),
    name,
  );
const boundaries = openBoundaries({
  ...layer('divisions.'),
  ...layer('countries.'),
  countryOf: Uint16Array.of(0, 1, 0, 0, 1, 0),
});

const PLACES = [
  { name: 'metropolis', latitude: 0.5, longitude: 0.5, population: 3_000_000, area: 5 },
  { name: 'suburb', latitude: 0.5, longitude: 0.6, population: 2_000, area: 5 },
  { name: 'section', latitude: 0.5, longitude: 0.55, population: 90_000, area: 5, feature: 'PPLX' },
  { name: 'section beside', latitude: 0.52, longitude: 0.6, population: 0, area: 5, feature: 'PPLX' },
  { name: 'border town', latitude: 0.5, longitude: 0.99, population: 9_000, area: 2 },
  { name: 'town beyond', latitude: 0.5, longitude: 1.01, population: 9_000, area: 3 },
  { name: 'exclave', latitude: 0.3, longitude: 1.5, population: 2_000, area: 4 },
  { name: 'island', latitude: -0.1, longitude: 0.5, population: 300, area: 2 },
  { name: 'port', latitude: 0.005, longitude: 2.5, population: 20_000, area: 4 },
] as const satisfies readonly { name: string; feature?: (typeof FEATURES)[number]; [key: string]: unknown }[];

const reverse = createReverse({
  boundaries,
  areas,
  // At one latitude near the border, the time zone names another country than the drawn border.
  countryByZone: ({ latitude }) => (latitude === 0.7 ? 1 : undefined),
  places: {
    count: PLACES.length,
    latitudeE5: Int32Array.from(PLACES, ({ latitude }) => Math.round(latitude * 1e5)),
    longitudeE5: Int32Array.from(PLACES, ({ longitude }) => Math.round(longitude * 1e5)),
    population: Uint32Array.from(PLACES, ({ population }) => population),
    area: Uint16Array.from(PLACES, ({ area }) => area),
    // Each place has a zone of its own.
    zone: Uint16Array.from(PLACES.keys()),
    feature: Uint8Array.from(PLACES, (place) => FEATURES.indexOf('feature' in place ? place.feature : 'PPL')),
  },
});

function answer(latitude: number, longitude: number) {
  const found = reverse(latitude, longitude);
  if (found === undefined) return undefined;
  return { area: found.area, place: found.place === undefined ? undefined : PLACES[found.place]?.name };
}

const CASES: readonly (readonly [string, number, number, ReturnType<typeof answer>])[] = [
  ['a metropolis is found from farther away than a village', 0.5, 0.56, { area: 2, place: 'metropolis' }],
  ['a suburb is found at its center', 0.5, 0.598, { area: 2, place: 'suburb' }],
  ['sections of a city are skipped', 0.5, 0.55, { area: 2, place: 'metropolis' }],
  ['in a section that is nearer than a suburb, the city is found', 0.515, 0.6, { area: 2, place: 'metropolis' }],
  ['the border of a division has priority over distance', 0.5, 0.998, { area: 2, place: 'border town' }],
  ['the border has priority on its other side too', 0.5, 1.002, { area: 3, place: 'town beyond' }],
  ['the finer layer decides the border of a country', 0.9, 1.99, { area: 4, place: undefined }],
  ['near a border, the time zone of a point decides its country', 0.7, 1.97, { area: 1, place: undefined }],
  ['far from a border, the time zone is ignored', 0.7, 1.5, { area: 3, place: undefined }],
  ['an exclave is found by its place', 0.3, 1.5, { area: 4, place: 'exclave' }],
  ['near an exclave, other points belong to the country around it', 0.3, 1.52, { area: 3, place: undefined }],
  ['far from any place, the division is the answer', 0.9, 1.5, { area: 3, place: undefined }],
  ['a point close to the coast belongs to its port', -0.01, 2.5, { area: 4, place: 'port' }],
  ['a small island is found by its place', -0.15, 0.52, { area: 2, place: 'island' }],
  ['a point in territorial waters far from the coast is sea', 1.15, 1, undefined],
  ['a point in the open sea has no result', 40, -40, undefined],
  ['a pole that no area reaches has no result', 90, 0, undefined],
];

for (const [title, latitude, longitude, expected] of CASES) {
  test(title, (t) => {
    t.deepEqual(answer(latitude, longitude), expected);
  });
}

test('the zones of a place are those of the near places in its country, its own first', (t) => {
  const found = reverse(0.5, 0.998);
  const names = (rows: readonly number[] | undefined) => rows?.map((row) => PLACES[row]?.name);
  t.deepEqual(names(found?.zones), ['border town', 'town beyond', 'suburb', 'metropolis']);
  t.deepEqual(names(reverse(-0.01, 2.5)?.zones), ['port']);
  t.deepEqual(names(reverse(0.9, 1.5)?.zones), []);
});

import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { distanceKm } from '../../../../workers/geocoding/geometry/distance.ts';
import { createNearest } from '../../../../workers/geocoding/reverse/nearest.ts';
import { seeded } from '../boundaries/lattice.ts';

const COUNT = 3000;
const random = seeded(7);
// A third of the places is near the poles, and a third near the date line.
const places = Array.from({ length: COUNT }, (_, row) => ({
  latitude: row % 3 === 0 ? (row % 2 === 0 ? 1 : -1) * (90 - 3 * random()) : random() * 170 - 85,
  longitude: row % 3 === 1 ? ((180 + 4 * random() - 2 + 180) % 360) - 180 : random() * 360 - 180,
}));
const table = {
  latitudeE5: Int32Array.from(places, ({ latitude }) => Math.round(latitude * 1e5)),
  longitudeE5: Int32Array.from(places, ({ longitude }) => Math.round(longitude * 1e5)),
};
const nearest = createNearest(table, Uint32Array.from(places.keys()));

function byBruteForce(latitude: number, longitude: number): readonly { place: number; km: number }[] {
  return places
    .map((point, place) => ({ place, km: distanceKm({ latitude, longitude }, point) }))
    .toSorted((a, b) => a.km - b.km);
}

const queries = [
  { latitude: 90, longitude: 0 },
  { latitude: -90, longitude: 77 },
  { latitude: 0, longitude: 180 },
  { latitude: 0, longitude: -180 },
  { latitude: 89.9, longitude: -179.9 },
  ...Array.from({ length: 100 }, () => ({ latitude: random() * 180 - 90, longitude: random() * 360 - 180 })),
];

test('finds the same places as brute force, also at the poles and the date line', (t) => {
  for (const { latitude, longitude } of queries) {
    const found = nearest.find(latitude, longitude, 10);
    const expected = byBruteForce(latitude, longitude).slice(0, 10);
    t.is(found.length, 10);
    for (const [rank, { distanceKm: km }] of found.entries()) {
      t.true(Math.abs(km - defined(expected[rank]).km) < 0.01, `rank ${rank} of ${latitude}, ${longitude}`);
    }
  }
});

test('finds only places within the distance', (t) => {
  for (const { latitude, longitude } of queries) {
    const within = byBruteForce(latitude, longitude).filter(({ km }) => km <= 150).length;
    t.is(nearest.find(latitude, longitude, COUNT, 150).length, within);
  }
});

test('finds only places in the given rows', (t) => {
  const some = createNearest(table, Uint32Array.of(5, 9));
  t.deepEqual(
    some
      .find(0, 0, 10)
      .map(({ place }) => place)
      .toSorted(),
    [5, 9],
  );
  t.deepEqual(createNearest(table, new Uint32Array(0)).find(0, 0, 3), []);
});

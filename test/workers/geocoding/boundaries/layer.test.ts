import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { decodeArcs, encodeArcs, UNITS_PER_DEGREE } from '../../../../workers/geocoding/boundaries/arcs.ts';
import { openLayer } from '../../../../workers/geocoding/boundaries/layer.ts';
import { encodeRectangles, labelByBruteForce, makeLattice, seeded } from './lattice.ts';

const POINTS = 20_000;

for (const step of [0.75, 10, 60]) {
  test(`finds the same area as brute force, with polygons ${step}° wide`, (t) => {
    const random = seeded(step * 100);
    const { arcs, cells } = makeLattice(step, random);
    const layer = openLayer(arcs);
    const near = (x: number, y: number) =>
      cells.filter(({ corners }) => {
        const reach = 2 * step * UNITS_PER_DEGREE;
        return corners.some((corner) => Math.abs(corner.x - x) < reach && Math.abs(corner.y - y) < reach);
      });
    let wrong = 0;
    const count = step < 1 ? POINTS / 100 : POINTS;
    for (let point = 0; point < count; point++) {
      const [latitude, longitude] = [random() * 180 - 90, random() * 360 - 180];
      const [x, y] = [longitude * UNITS_PER_DEGREE, latitude * UNITS_PER_DEGREE];
      const label = labelByBruteForce(step < 1 ? near(x, y) : cells, { x, y });
      if (layer.areaAt(latitude, longitude) !== (label === 0 ? undefined : label - 1)) wrong++;
    }
    t.is(wrong, 0);
  });
}

test('encoded arcs are decoded unchanged', (t) => {
  const { arcs } = makeLattice(10, seeded(1));
  t.deepEqual(decodeArcs(encodeArcs(arcs, 'a.'), 'a.'), arcs);
});

const world = [
  { label: 1, west: 170, south: -20, east: 180, north: -10 },
  { label: 1, west: -180, south: -20, east: -175, north: -10 },
  { label: 2, west: -180, south: -90, east: 180, north: -70 },
];
const layer = openLayer(decodeArcs(encodeRectangles(world, ''), ''));

test('180 and -180 degrees are the same line', (t) => {
  t.deepEqual(
    [180, -180, 179.9999, -179.9999, 540].map((longitude) => layer.areaAt(-15, longitude)),
    [0, 0, 0, 0, 0],
  );
  t.is(layer.areaAt(-15, -174), undefined);
});

test('a pole belongs to the area that reaches it', (t) => {
  t.is(layer.areaAt(-90, 0), 1);
  t.is(layer.areaAt(-90, 180), 1);
  t.is(layer.areaAt(90, 0), undefined);
});

test('areas near a point are sorted by distance, also across the date line', (t) => {
  const areas = layer.areasNear(-9.9, -179.99, 20);
  t.is(areas.length, 1);
  t.is(areas[0]?.area, 0);
  t.true(Math.abs(defined(areas[0]).distanceKm - 11.12) < 0.01);
  t.deepEqual(layer.areasNear(-9.9, -170, 20), []);
  // The point is east of the eastern part, on the other side of the date line.
  t.is(layer.areasNear(-15, -174.9, 20)[0]?.area, 0);
});

import test from 'ava';
import { middleOf, WantedNodes } from '../../../../../../scripts/cli/tollhouse/places/osm/wanted-nodes.ts';
import { fc } from '../../../../../kit/fast-check.ts';

const id = fc.nat({ max: 40 });
const nodes = fc.array(fc.tuple(id, fc.integer({ min: -900, max: 900 }), fc.integer({ min: -1800, max: 1800 })));

test('nodes that are wanted have their points, in whatever order they come', (t) => {
  fc.assert(
    fc.property(fc.array(id), nodes, fc.array(id), (wanted, placed, asked) => {
      const expected = new Map<number, readonly [number, number]>();
      const set = new WantedNodes();
      for (const each of wanted) set.want(each);
      set.sort();
      t.is(set.count, new Set(wanted).size);
      for (const [each, latitude, longitude] of placed) {
        set.place(each, latitude, longitude);
        if (wanted.includes(each)) expected.set(each, [latitude, longitude]);
      }
      for (const each of asked) {
        const point = expected.get(each);
        const [south, west] = point ?? [];
        t.deepEqual(set.boxOf([each]), point && { south, west, north: south, east: west });
      }
    }),
  );
});

test('the middle of several nodes is that of the box around them, without those that are unknown', (t) => {
  const set = new WantedNodes();
  for (const each of [5, 3, 3, 4, 2 ** 40]) set.want(each);
  set.sort();
  set.place(2 ** 40, 500_000_000, 80_000_000);
  set.place(3, 500_000_200, 80_000_400);
  const box = set.boxOf([3, 4, 5, 2 ** 40, 7]);
  t.deepEqual(box && middleOf(box), { latitude: 50.000_01, longitude: 8.000_02 });
  t.is(set.boxOf([4, 7]), undefined);
  t.is(new WantedNodes().boxOf([1]), undefined);
});

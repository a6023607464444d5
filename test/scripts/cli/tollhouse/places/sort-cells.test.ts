import test from 'ava';
import { CellOrder, MAX_ROWS } from '../../../../../scripts/cli/tollhouse/places/sort-cells.ts';
import { fc } from '../../../../kit/fast-check.ts';

/** Cells of 222 m on the whole Earth. */
const cell = fc.nat({ max: 90_000 * 180_000 });

test('rows are sorted by their cells, and by their numbers within a cell', (t) => {
  const entry = fc.tuple(fc.nat({ max: MAX_ROWS - 1 }), fc.oneof(cell, fc.nat({ max: 3 })));
  fc.assert(
    fc.property(fc.uniqueArray(entry, { selector: ([row]) => row }), (entries) => {
      const order = new CellOrder(entries.length + 3);
      for (const [row, of] of entries) order.add(row, of);
      order.sort();
      const sorted = entries.toSorted(([a, left], [b, right]) => left - right || a - b);
      t.is(order.count, entries.length);
      t.deepEqual(
        sorted.map((_, index) => [order.rowAt(index), order.cellAt(index)]),
        sorted.map(([row, of]) => [row, of]),
      );
    }),
  );
});

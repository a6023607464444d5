import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { encodeLines } from '../../../../workers/geocoding/columns/columns.ts';
import { openNames } from '../../../../workers/geocoding/gazetteer/names.ts';
import { fc } from '../../../kit/fast-check.ts';

const keyArb = fc
  .string({ minLength: 1, maxLength: 20, unit: 'grapheme' })
  .filter((key) => !key.includes('\n') && key.isWellFormed());

test('every key is found with exactly its entities', (t) => {
  fc.assert(
    fc.property(fc.uniqueArray(keyArb, { minLength: 1, maxLength: 60 }), keyArb, (keys, other) => {
      const counts = keys.map((_, row) => 1 + (row % 3));
      const names = openNames({
        keys: encodeLines(keys),
        counts: Uint16Array.from(counts),
        postings: new Uint32Array(counts.reduce((sum, count) => sum + count, 0)),
      });
      let start = 0;
      for (const [row, key] of keys.entries()) {
        const end = start + defined(counts[row]);
        t.deepEqual(names.find(key), { start, end });
        start = end;
      }
      if (!keys.includes(other)) t.is(names.find(other), undefined);
    }),
  );
});

test('a key that is longer than every name is not found', (t) => {
  const names = openNames({ keys: encodeLines(['a']), counts: Uint16Array.of(1), postings: Uint32Array.of(0) });
  t.is(names.find('a'.repeat(1000)), undefined);
  t.is(names.find(''), undefined);
});

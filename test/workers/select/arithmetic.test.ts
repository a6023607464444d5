import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { BIG, SAFE } from '../../../workers/select/search/arithmetic.ts';
import { fc } from '../../kit/fast-check.ts';
import { runs } from '../../kit/property-runs.ts';

test('a product beyond safe integers is divided exactly', (t) => {
  const safe = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(safe, safe, safe, (a, b, c) => {
      const sorted = [a, b, c].sort((x, y) => x - y);
      const [min, middle, max] = [defined(sorted[0]), defined(sorted[1]), defined(sorted[2])];
      t.is(SAFE.scale(min, middle, max), Number(BIG.scale(BigInt(min), BigInt(middle), BigInt(max))));
    }),
    { numRuns: runs(2000), seed: 10 },
  );
});

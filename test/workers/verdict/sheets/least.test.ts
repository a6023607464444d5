import test from 'ava';
import fc from 'fast-check';
import { defined } from '../../../../workers/exact/defined.ts';
import { findLeast } from '../../../../workers/verdict/sheets/least.ts';

const MOST = 2n ** 30n;
const place = fc.oneof(fc.bigInt({ min: -MOST, max: MOST }), fc.bigInt({ min: -9n, max: 9n }));
/** Sorted places. */
const places = fc
  .array(place, { minLength: 1, maxLength: 30 })
  .map((all) => all.toSorted((one, other) => Number(one - other)));

/** Searches with the least helpful answers: each answer is the greatest place that fits. */
function search(all: readonly bigint[], floor: bigint, hint: bigint) {
  const greatest = (most: bigint) => all.findLast((one) => one <= most);
  let questions = 0;
  const found = findLeast({
    floor,
    hint,
    found: defined(greatest(MOST)),
    placeOf: (one) => one,
    findUpTo(most) {
      questions += 1;
      return greatest(most);
    },
  });
  return { found, questions };
}

test('finds the least place with any hint, in about two questions per binary digit of the distance', (t) => {
  fc.assert(
    fc.property(places, place, (all, hint) => {
      const { found, questions } = search(all, -MOST, hint);
      t.is(found, defined(all[0]));
      t.true(questions <= 2 * 32, `${questions}`);
    }),
    { seed: 1 },
  );
});

test('the least place needs no question if it is known', (t) => t.is(search([5n], 5n, 5n).questions, 0));

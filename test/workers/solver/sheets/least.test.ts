import test from 'ava';
import fc from 'fast-check';
import { findLeast } from '../../../../workers/solver/sheets/least.ts';

const MOST = 2n ** 30n;
const place = fc.oneof(fc.bigInt({ min: -MOST, max: MOST }), fc.bigInt({ min: -9n, max: 9n }));
/** In their order. */
const places = fc
  .array(place, { minLength: 1, maxLength: 30 })
  .map((all) => all.toSorted((one, other) => Number(one - other)));

/** Each question is answered with the greatest place that fits, which helps the least. */
function search(all: readonly bigint[], floor: bigint, hint: bigint) {
  const greatest = (most: bigint) => all.findLast((one) => one <= most);
  let questions = 0;
  const found = findLeast({
    floor,
    hint,
    found: greatest(MOST) ?? MOST,
    placeOf: (one) => one,
    findUpTo(most) {
      questions += 1;
      return greatest(most);
    },
  });
  return { found, questions };
}

test('the least is found with any hint, in about twice as many questions as the distance has binary digits', (t) => {
  fc.assert(
    fc.property(places, place, (all, hint) => {
      const { found, questions } = search(all, -MOST, hint);
      t.is(found, all[0] ?? MOST);
      t.true(questions <= 2 * 32, `${questions}`);
    }),
    { seed: 1 },
  );
});

test('a right hint needs two questions at most, and none if the least was known', (t) => {
  fc.assert(
    fc.property(places, (all) => {
      const { found, questions } = search(all, -MOST - 1n, all[0] ?? MOST);
      t.is(found, all[0] ?? MOST);
      t.true(questions <= 2, `${questions}`);
    }),
    { seed: 1 },
  );
  t.is(search([5n], 5n, 5n).questions, 0);
});

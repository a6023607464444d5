import test from 'ava';
import { CATEGORIES } from '../../../scripts/lab/quality/maps/categories.ts';
import { openFinder } from '../../../scripts/lab/quality/maps/finder.ts';
import { measureMaps } from '../../../scripts/lab/quality/maps/maps.ts';
import { claimsOf, summarize } from '../../../scripts/lab/quality/maps/report.ts';
import { defined } from '../../../workers/exact/defined.ts';

/** The target of categories without a target of their own. */
const DEFAULT_TARGET = 0.95;

const finder = await openFinder();

for (const category of CATEGORIES) {
  test(`enough of the labeled cases of ${category.name} are right`, (t) => {
    const [result] = measureMaps(finder, [category]);
    const { share } = summarize(defined(result));
    const { target = DEFAULT_TARGET } = category;
    t.true(share >= target, `${share}`);
  });
}

test('confidence is what it says: nearly all answers with High are right, and most with Medium', (t) => {
  const results = measureMaps(
    finder,
    CATEGORIES.filter(({ kind }) => kind !== 'reverse'),
  );
  for (const { confidence, answers, share, target } of claimsOf(results)) {
    t.true(answers > 0 && share >= target, `${confidence}: ${share} of ${answers}`);
  }
});

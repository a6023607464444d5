import test from 'ava';
import { CATEGORIES } from '../../../scripts/lab/quality/maps/categories.ts';
import { openFinder } from '../../../scripts/lab/quality/maps/finder.ts';
import { measureMaps } from '../../../scripts/lab/quality/maps/maps.ts';
import { summarize } from '../../../scripts/lab/quality/maps/report.ts';

/** Of categories that no target is set for. */
const USUAL_SHARE = 0.95;

const finder = await openFinder();

for (const category of CATEGORIES) {
  test(`enough of the labeled cases of ${category.name} are right`, (t) => {
    const [result] = measureMaps(finder, [category]);
    const { share } = summarize(result ?? { category, scores: [] });
    t.true(share >= (category.target ?? USUAL_SHARE), `${share}`);
  });
}

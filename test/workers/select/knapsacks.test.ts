import test from 'ava';
import { exactSelect } from '../../../workers/select/exact-select.ts';
import { generator, knapsack, mostOf } from '../../models/instances.ts';

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const RANGE = 1000;

type ProfitOf = (w: number, random: (below: number) => number) => number;

/** Classes from Pisinger (2005), "Where are the hard knapsack problems?" The last two are hard. */
const CLASSES: readonly (readonly [name: string, limit: number, profitOf: ProfitOf])[] = [
  ['uncorrelated', 10_000, (_, random) => 1 + random(RANGE)],
  ['weakly correlated', 10_000, (w, random) => Math.max(1, w - RANGE / 10 + random(RANGE / 5 + 1))],
  ['subset sum', 100_000, (w) => w],
  ['profit ceiling', 100_000, (w) => 3 * Math.ceil(w / 3)],
  ['almost strongly correlated', 0, (w, random) => w + RANGE / 10 - RANGE / 500 + random(RANGE / 250 + 1)],
  ['strongly correlated', 0, (w) => w + RANGE / 10],
];

for (const [name, provenWithin, profitOf] of CLASSES) {
  test(`${name} knapsacks of 100 items have a valid bound, and the optimum of dynamic programming if proven`, (t) => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = generator(seed);
      const w = Array.from({ length: 100 }, () => 1 + random(RANGE));
      const p = w.map((weight) => profitOf(weight, random));
      const capacity = Math.floor((seed / 7) * sum(w));
      const answer = exactSelect({ ...knapsack(p, w, capacity), node_limit: 100_000 });
      const max = mostOf(p, w, capacity);
      t.true(Number(answer.totals?.['w']) <= capacity);
      t.true(Number(answer.totals?.['p']) <= max && max <= Number(answer.best_bound));
      if (provenWithin > 0) t.true(answer.outcome === 'optimal' && answer.nodes <= provenWithin, `${answer.nodes}`);
      if (answer.value_proven) t.is(Number(answer.totals?.['p']), max);
    }
  });
}

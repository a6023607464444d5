import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { exactSelect, selectBy } from '../../../workers/select/exact-select.ts';
import { readSelection } from '../../../workers/select/request/read-selection.ts';
import { earliestEndOf, optimize } from '../../../workers/select/solve/optimize.ts';
import { layOut, MAX_CELLS } from '../../../workers/select/table/layout.ts';
import { bestByTable } from '../../../workers/select/table/tabulate.ts';
import { worthsOf } from '../../../workers/select/table/worths.ts';
import { fc } from '../../kit/fast-check.ts';
import { runs } from '../../kit/property-runs.ts';
import { enumerate } from '../../models/enumerate.ts';
import { generator, instances, itemsOf, knapsack, mostOf } from '../../models/instances.ts';

let tables = 0;
/** Uses only dynamic programming, if the table is small enough. */
const byTable: typeof optimize = (problem, objectives, budget) => {
  const layout = layOut(problem);
  const worths = worthsOf(objectives, problem.free.length);
  if (layout === undefined || worths === undefined) return optimize(problem, objectives, budget);
  tables += 1;
  const found = bestByTable(layout, worths, earliestEndOf(problem));
  const bound = optimize(problem, objectives, budget).bound;
  return { found, isComplete: true, isValueProven: found !== undefined, bound };
};

test('a table finds the same sets as brute force and branch and bound', (t) => {
  const count = runs(1000);
  fc.assert(
    fc.property(instances, (instance) => {
      const selection = readSelection(instance);
      const answer = selectBy(selection, byTable);
      const expected = enumerate(instance);
      t.is(answer.outcome, expected.outcome);
      t.deepEqual(answer.chosen, expected.chosen);
      const { nodes: _, ...searched } = selectBy(selection, optimize);
      const { nodes: __, ...tabulated } = answer;
      t.deepEqual(tabulated, searched);
    }),
    { numRuns: count, seed: 20_260_102 },
  );
  t.true(tables > 0.9 * count);
});

test('strongly correlated knapsacks of 100 items are optimal', (t) => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const random = generator(seed);
    const w = Array.from({ length: 100 }, () => 1 + random(500));
    const p = w.map((weight) => weight + 100);
    const capacity = Math.floor(w.reduce((a, b) => a + b) / 2);
    const answer = exactSelect(knapsack(p, w, capacity));
    t.is(answer.outcome, 'optimal');
    t.is(answer.totals?.['p'], `${mostOf(p, w, capacity)}`);
    t.is(answer.best_bound, defined(answer.totals?.['p']));
    t.deepEqual(exactSelect({ ...knapsack(p, w, capacity), items: itemsOf({ p, w }, 100).toReversed() }), answer);
  }
});

test('the smallest list of ids is found among many equally good choices', (t) => {
  // Gains equal weights, so the only question is which items fill the capacity.
  const w = Array.from({ length: 60 }, (_, item) => 200 + ((item * 7919) % 97));
  const answer = exactSelect(knapsack(w, w, 6001));
  t.is(answer.outcome, 'optimal');
  t.is(answer.totals?.['p'], '6001');
});

test('a table that is too large is not laid out, nor are large numbers', (t) => {
  const wide = { free: [0, 1, 2], required: [], groups: [] };
  const row = (limit: bigint) => ({ coefficients: [limit, limit - 1n, limit - 2n], limit });
  t.is(layOut({ ...wide, rows: [row(BigInt(MAX_CELLS) * 2n)] }), undefined);
  t.is(layOut({ ...wide, rows: [row(10n ** 30n)] }), undefined);
  t.is(worthsOf([[10n ** 30n]], 1), undefined);
  t.is(worthsOf([[2n ** 30n], [2n ** 30n]], 1), undefined);
});

import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { nodeLimitOf } from '../../../workers/exact/selection-schema.ts';
import { exactSelect } from '../../../workers/select/exact-select.ts';
import { generator, itemsOf, knapsack } from '../../models/instances.ts';

const random = generator(3);
const SIZE = 35;
const column = () => Array.from({ length: SIZE }, () => 1 + random(1000));
const columns = { a: column(), b: column(), c: column(), d: column(), e: column() };
const p = columns.a.map(
  (_, item) => Math.floor(Object.values(columns).reduce((sum, of) => sum + defined(of[item]), 0) / 5) + random(200),
);
/**
 * An instance after Chu and Beasley (1998): five capacities of half the total weight, and gains that are correlated with
 * the weights.
 */
const hard = {
  scale: 0,
  items: itemsOf({ p, ...columns }, SIZE),
  capacities: Object.entries(columns).map(([of, values]) => ({
    of,
    max: `${Math.floor(values.reduce((x, y) => x + y) / 2)}`,
  })),
  objectives: [{ of: 'p', direction: 'maximize' }],
};

test('with more nodes, the best choice and the bound approach each other until both are equal', (t) => {
  let known = -1;
  let bound = Number.POSITIVE_INFINITY;
  const outcomes = [1, 100, 10_000, 5_000_000].map((limit) => {
    const answer = exactSelect({ ...hard, node_limit: limit });
    t.true(answer.nodes <= limit);
    const found = answer.totals === null ? -1 : Number(answer.totals['p']);
    t.true(found >= known);
    known = found;
    bound = Math.min(bound, Number(answer.best_bound));
    t.true(known <= bound);
    if (answer.outcome === 'indeterminate') t.like(answer, { nodes: limit, value_proven: false });
    if (answer.totals === null) t.deepEqual(answer.chosen, []);
    return answer.outcome;
  });
  t.deepEqual(outcomes, ['indeterminate', 'indeterminate', 'indeterminate', 'optimal']);
  t.is(known, bound);
});

test('a search that reached its limit gives exactly the same answer again', (t) => {
  const asked = { ...hard, node_limit: 5000 };
  t.deepEqual(exactSelect({ ...asked, items: asked.items.toReversed() }), exactSelect(asked));
});

test('value_proven is true only if no choice is better, at every limit', (t) => {
  const values = generator(11);
  const weights = Array.from({ length: 12 }, () => 100 + values(60));
  const gains = weights.map((weight) => weight - (weight % 7));
  const asked = knapsack(gains, weights, 700);
  const best = exactSelect(asked).totals?.['p'];
  const proven = [];
  for (let limit = 1; limit <= 300; limit += 1) {
    const { outcome, value_proven, totals } = exactSelect({ ...asked, node_limit: limit });
    if (value_proven) t.is(totals?.['p'], best);
    if (outcome === 'optimal') t.true(value_proven);
    else if (value_proven) proven.push(limit);
  }
  // Some limits end the search between the two proofs.
  t.true(proven.length > 0);
});

test('a core that could not be shortened within the nodes is still a contradiction', (t) => {
  const even = Array.from({ length: 30 }, (_, item) => 2 * (item + 5));
  const asked = {
    scale: 0,
    items: itemsOf({ p: even, n: even.map((value) => -value) }, 30),
    capacities: [
      { of: 'p', max: '101' },
      { of: 'n', max: '-101' },
    ],
    forbid: ['i000', 'i001'],
  };
  const full = exactSelect(asked);
  t.deepEqual([full.outcome, full.core], ['infeasible', ['capacities/0', 'capacities/1']]);
  const cores = Array.from({ length: Math.min(full.nodes, 400) }, (_, nodes) => {
    const { outcome, core } = exactSelect({ ...asked, node_limit: nodes + 1 });
    if (outcome === 'infeasible') for (const name of full.core) t.true(core.includes(name));
    else t.is(outcome, 'indeterminate');
    return core.length;
  });
  t.true(cores.includes(0) || cores.includes(2));
});

test('nodes are limited for any number of items, and more items have a lower limit', (t) => {
  const sizes = [
    { items: 0, sums: 0 },
    { items: 100, sums: 2 },
    { items: 1000, sums: 24 },
  ];
  const limits = (limit: number | undefined) => sizes.map((size) => nodeLimitOf({ ...size, limit }));
  t.deepEqual(limits(undefined), [1_000_000, 1_000_000, 61_538]);
  t.deepEqual(limits(10_000_000), [4_800_000, 3_692_307, 184_615]);
  t.deepEqual(limits(500), [500, 500, 500]);
});

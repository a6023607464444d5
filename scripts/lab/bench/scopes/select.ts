import { generator, knapsack, mostOf } from '../../../../test/models/instances.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { exactSelect } from '../../../../workers/select/exact-select.ts';
import type { Contender } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';

const ITEMS = 100;
const RANGE = 1000;

/** Knapsacks of 100 items with independent gains and weights from 1 to 1,000. Half of the total weight fits. */
const KNAPSACKS = Array.from({ length: 20 }, (_, index) => {
  const random = generator(index + 1);
  const column = () => Array.from({ length: ITEMS }, () => 1 + random(RANGE));
  const [p, w] = [column(), column()];
  return { p, w, capacity: Math.floor(w.reduce((sum, weight) => sum + weight) / 2) };
});
type Knapsack = (typeof KNAPSACKS)[number];

/** Compares exact select with dynamic programming over the capacity, which solves only single knapsacks. */
export const select: Scope = async () => ({
  comparisons: [
    {
      title: `the best of ${ITEMS} items`,
      ours: { name: 'exact select', run: repeat(({ p, w, capacity }) => exactSelect(knapsack(p, w, capacity))) },
      reference: { name: 'dynamic programming', run: repeat(({ p, w, capacity }) => mostOf(p, w, capacity)) },
    },
  ],
  stop: async () => {},
});

function repeat(solve: (one: Knapsack) => unknown): Contender['run'] {
  return async (durationMs) => {
    const times: number[] = [];
    const startMs = performance.now();
    for (let next = 0; performance.now() - startMs < durationMs; next += 1) {
      const one = defined(KNAPSACKS[next % KNAPSACKS.length]);
      const beganMs = performance.now();
      solve(one);
      times.push(performance.now() - beganMs);
    }
    times.sort((a, b) => a - b);
    const at = (share: number) => defined(times[Math.floor(share * times.length)]);
    return { perSecond: (1000 * times.length) / (performance.now() - startMs), p50Ms: at(0.5), p99Ms: at(0.99) };
  };
}

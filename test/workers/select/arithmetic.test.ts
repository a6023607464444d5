import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { constraintsOf } from '../../../workers/select/model/constraint.ts';
import { poseProblem } from '../../../workers/select/model/problem.ts';
import { leastOf } from '../../../workers/select/model/row.ts';
import { readSelection } from '../../../workers/select/request/read-selection.ts';
import { type Arithmetic, BIG, SAFE } from '../../../workers/select/search/arithmetic.ts';
import { createBudget } from '../../../workers/select/search/budget.ts';
import { createSearch, type SearchSpace } from '../../../workers/select/search/search.ts';
import { createSpace } from '../../../workers/select/search/space.ts';
import { fc } from '../../kit/fast-check.ts';
import { runs } from '../../kit/property-runs.ts';
import { instances } from '../../models/instances.ts';

function findingsOf<N>(arithmetic: Arithmetic<N>, space: SearchSpace, limit: number) {
  const budget = createBudget(limit);
  const choices = new Array<'open'>(space.objective.length).fill('open');
  const goal = leastOf(space.objective);
  const findings = createSearch(arithmetic, space)({ goal, isAnyEnough: false, choices, budget });
  return { ...findings, nodes: budget.used };
}

test('safe integers and BigInt give the same result with the same nodes, also at the node limit', (t) => {
  fc.assert(
    fc.property(instances, fc.integer({ min: 1, max: 60 }), (instance, limit) => {
      fc.pre(
        instance.items.every(({ values }) => Object.values(values).every((value) => Math.abs(Number(value)) < 1e7)),
      );
      const selection = readSelection(instance);
      const problem = poseProblem(selection, constraintsOf(selection));
      fc.pre(problem !== undefined);
      const { free, rows, groups } = problem;
      // A selection without objectives or capacities of `p` does not have the values of `p`.
      const objective = free.map((item) => selection.values.get('p')?.[item] ?? BigInt(item));
      const space = createSpace({ size: free.length, rows, groups, kinds: free.map((_, place) => place) }, objective);
      t.deepEqual(findingsOf(SAFE, space, limit), findingsOf(BIG, space, limit));
    }),
    { numRuns: runs(500), seed: 9 },
  );
});

test('a product beyond safe integers is divided exactly', (t) => {
  const safe = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
  fc.assert(
    fc.property(safe, safe, safe, (a, b, c) => {
      const sorted = [a, b, c].sort((x, y) => x - y);
      const [least, middle, most] = [defined(sorted[0]), defined(sorted[1]), defined(sorted[2])];
      t.is(SAFE.scale(least, middle, most), Number(BIG.scale(BigInt(least), BigInt(middle), BigInt(most))));
    }),
    { numRuns: runs(2000), seed: 10 },
  );
});

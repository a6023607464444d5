import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { constraintsOf } from '../../../../workers/select/model/constraint.ts';
import { poseProblem } from '../../../../workers/select/model/problem.ts';
import { readSelection } from '../../../../workers/select/request/read-selection.ts';
import { createBudget } from '../../../../workers/select/search/budget.ts';
import { prepareSearch } from '../../../../workers/select/search/run.ts';
import { createSpace } from '../../../../workers/select/search/space.ts';
import { kindsOf } from '../../../../workers/select/solve/alike.ts';
import { bestSet, spaceAt, worthOf } from '../../../../workers/select/solve/best.ts';
import { fc } from '../../../kit/fast-check.ts';
import { runs } from '../../../kit/property-runs.ts';
import { instances } from '../../../models/instances.ts';

test('rows that follow from a goal exclude no set that reaches it, and no set exceeds the best', (t) => {
  fc.assert(
    fc.property(instances, fc.boolean(), (instance, isByIds) => {
      const selection = readSelection({ ...instance, objectives: [{ of: 'u', direction: 'maximize' }] });
      const problem = poseProblem(selection, constraintsOf(selection));
      fc.pre(problem !== undefined);
      const { free, rows, groups } = problem;
      const size = free.length;
      const objective = free.map((item) => defined(selection.values.get('u')?.[item]));
      const domain = { size, rows, groups, kinds: kindsOf({ size, rows, groups, objectives: [objective] }) };
      const budget = createBudget(100_000);
      const { found } = bestSet(domain, { objective, known: undefined, held: [], budget });
      fc.pre(found !== undefined);
      const most = worthOf(found, objective);
      for (const goal of [most - 1n, most, most + 1n]) {
        const asked = { goal, isAnyEnough: true, choices: new Array<'open'>(size).fill('open'), budget };
        const space = spaceAt(domain, { objective, held: [], isByIds }, goal);
        const set = space && prepareSearch(space)(asked).found;
        t.is(set !== undefined, goal <= most);
        if (set !== undefined) t.true(worthOf(set, objective) >= goal);
        t.is(prepareSearch(createSpace(domain, objective))(asked).found !== undefined, goal <= most);
      }
    }),
    { numRuns: runs(1000), seed: 11 },
  );
});

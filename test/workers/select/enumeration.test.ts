import test from 'ava';
import { defined } from '../../../workers/exact/defined.ts';
import { exactSelect } from '../../../workers/select/exact-select.ts';
import { fc } from '../../kit/fast-check.ts';
import { runs } from '../../kit/property-runs.ts';
import { enumerate, isObeyable, sumOf, violated } from '../../models/enumerate.ts';
import { instances } from '../../models/instances.ts';

test('chooses the same items as brute force, with minimal cores', (t) => {
  const outcomes = new Map<string, number>();
  const count = runs(2000);
  fc.assert(
    fc.property(instances, (instance) => {
      const answer = exactSelect(instance);
      const expected = enumerate(instance);
      outcomes.set(answer.outcome, (outcomes.get(answer.outcome) ?? 0) + 1);
      t.is(answer.outcome, expected.outcome);
      t.deepEqual(answer.chosen, expected.chosen);
      t.is(answer.best_bound, expected.best === undefined ? null : `${expected.best}`);
      if (answer.totals !== null) {
        for (const [of, total] of Object.entries(answer.totals)) {
          t.is(total, `${sumOf(instance, of, answer.chosen)}`);
        }
      }
      t.is(isObeyable(instance, new Set(answer.core)), answer.outcome === 'optimal');
      for (const name of answer.core)
        t.true(isObeyable(instance, new Set(answer.core.filter((other) => other !== name))));
    }),
    { numRuns: count, seed: 20_260_101 },
  );
  t.true(defined(outcomes.get('optimal')) > 0.3 * count);
  t.true(defined(outcomes.get('infeasible')) > 0.1 * count);
});

test('the order of items and ids changes neither the answer nor the number of nodes', (t) => {
  fc.assert(
    fc.property(instances, (instance) => {
      const reversed = {
        ...instance,
        items: instance.items.toReversed(),
        require: instance.require.toReversed(),
        forbid: instance.forbid.toReversed(),
        at_most_one: instance.at_most_one.map((ids) => ids.toReversed()),
      };
      t.deepEqual(exactSelect(reversed), exactSelect(instance));
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('numbers beyond safe integers and decimals give the same choice with the same nodes', (t) => {
  const zeros = '000000000000000000000000';
  const decimal = (value: string) => `${value}.000`;
  const large = (value: string) => (value === '0' ? value : `${value}${zeros}`);
  fc.assert(
    fc.property(instances, (instance) => {
      const { outcome, chosen, core, nodes } = exactSelect(instance);
      for (const [scale, write] of [
        [3, decimal],
        [0, large],
      ] as const) {
        const items = instance.items.map(({ id, values }) => ({
          id,
          values: Object.fromEntries(Object.entries(values).map(([of, value]) => [of, write(value)])),
        }));
        const capacities = instance.capacities.map(({ of, max }) => ({ of, max: write(max) }));
        const answer = exactSelect({ ...instance, scale, items, capacities });
        const expected = { outcome, chosen, core, nodes };
        t.deepEqual(
          { outcome: answer.outcome, chosen: answer.chosen, core: answer.core, nodes: answer.nodes },
          expected,
        );
      }
    }),
    { numRuns: 300, seed: 8 },
  );
});

test('an answer at a limit obeys the constraints and claims no more than is true', (t) => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(instances, fc.integer({ min: 1, max: 12 }), (instance, limit) => {
      const answer = exactSelect({ ...instance, node_limit: limit });
      const { outcome, best } = enumerate(instance);
      outcomes.add(`${answer.outcome} ${answer.value_proven}`);
      t.true(answer.nodes <= limit);
      t.true(answer.outcome === 'indeterminate' || answer.outcome === outcome);
      if (answer.outcome === 'infeasible') t.false(isObeyable(instance, new Set(answer.core)));
      if (answer.totals !== null) t.deepEqual(violated(instance, answer.chosen), []);
      const [first] = instance.objectives;
      const sign = first?.direction === 'minimize' ? -1 : 1;
      const value = first && sumOf(instance, first.of, answer.chosen);
      if (answer.value_proven) t.is(value, best);
      if (answer.best_bound !== null && best !== undefined) t.true(sign * Number(answer.best_bound) >= sign * best);
    }),
    { numRuns: runs(1000), seed: 12 },
  );
  const expected = ['indeterminate false', 'indeterminate true', 'infeasible false', 'optimal true'];
  t.deepEqual([...outcomes].sort(), expected);
});

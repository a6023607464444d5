import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { parseNumber } from '../../../../workers/exact/numbers.ts';
import type { Limit } from '../../../../workers/plan/bounds/interval.ts';
import { listedValues, maxActions } from '../../../../workers/plan/bounds/listed-values.ts';
import { moneyOf } from '../../../../workers/plan/bounds/money.ts';
import { numbersOf } from '../../../../workers/plan/bounds/step-ranges.ts';
import { boundNumber } from '../../../../workers/plan/bounds/total.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan, Step } from '../../../../workers/plan/plan.ts';
import { runs, sized } from '../../../kit/property-runs.ts';
import { type BoundedCase, CURRENCIES, drawBounded, validRuns } from '../../../models/relational/draw-bounded.ts';
import type { DrawnAct } from '../../../models/relational/draw-case.ts';

/** A limit that is shown. */
interface Shown {
  readonly what: string;
  readonly limit: bigint;
  readonly isMin?: boolean;
  /** What the limit is of, in the acts of the step. */
  readonly of: (acts: readonly DrawnAct[]) => readonly bigint[];
}

const currencyOf = ({ e }: DrawnAct): string => CURRENCIES[e];
const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);

function shownOf(step: Step, { plan, amount }: BoundedCase): readonly Shown[] {
  const numbers = numbersOf(step).flatMap((number): readonly Shown[] => {
    const { min, each, all } = boundNumber(step, number, plan);
    const of = (acts: readonly DrawnAct[]) => acts.map((act) => BigInt(defined(act[number.name as 'a' | 'b' | 'r'])));
    return [
      ...limited({ what: 'least', limit: min, of, isMin: true }),
      ...limited({ what: 'each', limit: each, of }),
      ...limited({ what: 'all', limit: all, of: (acts) => [sumOf(of(acts))] }),
    ];
  });
  const unit = parseNumber(String(amount.unit), '').numerator;
  const money = defined(moneyOf(step, plan)).flatMap(({ currency, amounts: { each, all } }): readonly Shown[] => {
    const isIt = (act: DrawnAct) =>
      currency === undefined || typeof amount.currency === 'string' || currencyOf(act) === currency;
    const of = (acts: readonly DrawnAct[]) => acts.filter(isIt).map(({ a }) => BigInt(a) * unit);
    return [
      ...limited({ what: 'money each', limit: each, of }),
      ...limited({ what: 'money all', limit: all, of: (acts) => [sumOf(of(acts))] }),
    ];
  });
  const times: Shown = {
    what: 'times',
    limit: BigInt(maxActions(step, plan)),
    of: (acts) => [BigInt(acts.length)],
  };
  return [...numbers, ...money, times];
}

const limited = ({ limit, ...one }: Omit<Shown, 'limit'> & { readonly limit: Limit }): readonly Shown[] =>
  limit === undefined ? [] : [{ ...one, limit }];

/** Whether each argument has a value that is listed, and the currency is one that is shown. */
function isListed(act: DrawnAct, step: Step, plan: Plan): boolean {
  const values: readonly (readonly [string, Value])[] = [
    ['a', BigInt(act.a)],
    ['b', BigInt(defined(act.b))],
    ['e', currencyOf(act)],
  ];
  const money = defined(moneyOf(step, plan));
  const isPaidIn = money.some(({ currency }) => currency === undefined || currency === currencyOf(act));
  const isFixed = typeof step.tool.amounts?.[0]?.currency === 'string';
  return values.every(([name, value]) => listedValues(step, name, plan)?.has(value) !== false) && (isFixed || isPaidIn);
}

test('no run that passes does more than the bounds say that are approved, and most bounds are reached', (t) => {
  const found = new Map<string, { shown: number; reached: number }>();
  let valid = 0;
  for (let seed = 0; seed < runs(3_000); seed += 1) {
    const one = drawBounded(seed);
    const bySteps = one.plan.steps.map((step) => shownOf(step, one).map((shown) => ({ shown, isReached: false })));
    const done = new Set<number>();
    for (const acts of validRuns(one, sized(60, 40))) {
      valid += 1;
      for (const [index, all] of bySteps.entries()) {
        const own = acts.filter(({ step }) => step === index);
        const step = defined(one.plan.steps[index]);
        if (own.length > 0) done.add(index);
        const say = (what: string) => `seed ${seed}, ${step.stepId}, ${what}: ${JSON.stringify(acts)}`;
        for (const act of own) if (!isListed(act, step, one.plan)) t.fail(say('a value that is not listed'));
        for (const each of all) {
          for (const value of each.shown.of(own)) {
            const { limit, isMin, what } = each.shown;
            if (isMin ? value < limit : value > limit) t.fail(say(`${what} ${limit}, not ${value}`));
            if (value === limit) each.isReached = true;
          }
        }
      }
    }
    for (const index of done) {
      for (const { shown, isReached } of bySteps[index] ?? []) {
        const { shown: before, reached } = found.get(shown.what) ?? { shown: 0, reached: 0 };
        found.set(shown.what, { shown: before + 1, reached: reached + (isReached ? 1 : 0) });
      }
    }
  }
  const shares = Array.from(found, ([what, { shown, reached }]) => `${what} ${reached}/${shown}`).join(', ');
  t.true(valid > 20 * runs(3_000), `${valid} runs`);
  for (const { shown, reached } of found.values()) t.true(reached > shown / 2, shares);
});

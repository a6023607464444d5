import test from 'ava';
import { defined } from '../../../../workers/exact/defined.ts';
import { parseNumber } from '../../../../workers/exact/numbers.ts';
import type { Limit } from '../../../../workers/plan/bounds/interval.ts';
import { listedValues } from '../../../../workers/plan/bounds/listed-values.ts';
import { moneyOf } from '../../../../workers/plan/bounds/money.ts';
import { maxActions } from '../../../../workers/plan/bounds/run-bounds.ts';
import { numbersOf, type StepNumber } from '../../../../workers/plan/bounds/step-ranges.ts';
import { boundNumber } from '../../../../workers/plan/bounds/total.ts';
import { type Expression, literal } from '../../../../workers/plan/language/terms.ts';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan, Step } from '../../../../workers/plan/plan.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { runs, sized } from '../../../kit/property-runs.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { canReach } from '../../../models/relational/can-reach.ts';
import { type BoundedCase, CURRENCIES, drawBounded, validRuns } from '../../../models/relational/draw-bounded.ts';
import type { DrawnAct } from '../../../models/relational/draw-case.ts';

const solver = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

/** A limit that is shown. */
interface Shown {
  readonly what: string;
  readonly limit: bigint;
  readonly isMin?: boolean;
  /** What the limit is of, in the acts of the step. */
  readonly of: (acts: readonly DrawnAct[]) => readonly bigint[];
  /** That a run reaches the limit. */
  readonly reaches: (limit: bigint) => Expression;
}

/** Rules about the acts of a step, or about those with the currency. */
function rulesAbout({ stepId: name, tool }: Step, currency?: string) {
  const part = (scope: 'arg' | 'resp', id: string, type: ValueType): Expression => {
    return { op: 'part', binder: 'x9', part: scope, name: id, type };
  };
  const e = part('arg', 'e', defined(tool.args.get('e')));
  const condition: Expression | undefined =
    currency === undefined ? undefined : { op: '=', left: e, right: literal(currency) };
  const acts = { range: { kind: 'step', name }, binder: 'x9', condition } as const;
  const atMost = (left: Expression, right: Expression): Expression => ({ op: '<=', left, right });
  return {
    numberIn: ({ scope, name: id, type }: StepNumber, by = 1n): Expression => {
      return { op: '*', arg: part(scope, id, type), by };
    },
    oneIsAtMost: (value: Expression, limit: bigint): Expression => {
      return { op: 'any', ...acts, body: atMost(value, literal(limit)) };
    },
    oneIsAtLeast: (value: Expression, limit: bigint): Expression => {
      return { op: 'any', ...acts, body: atMost(literal(limit), value) };
    },
    sumIsAtLeast: (value: Expression, limit: bigint): Expression => {
      return atMost(literal(limit), { op: 'total', ...acts, body: value });
    },
    countIsAtLeast: (limit: bigint): Expression => {
      return atMost(literal(limit), { op: 'number', ...acts, body: undefined });
    },
  };
}

const currencyOf = ({ e }: DrawnAct): string => CURRENCIES[e];
const sumOf = (values: readonly bigint[]) => values.reduce((sum, value) => sum + value, 0n);

function shownOf(step: Step, { plan, amount }: BoundedCase): readonly Shown[] {
  const numbers = numbersOf(step).flatMap((number): readonly Shown[] => {
    const { min, each, all } = boundNumber(step, number, plan);
    const of = (acts: readonly DrawnAct[]) => acts.map((act) => BigInt(defined(act[number.name as 'a' | 'b' | 'r'])));
    const { numberIn, oneIsAtMost, oneIsAtLeast, sumIsAtLeast } = rulesAbout(step);
    const value = numberIn(number);
    return [
      ...limited({ what: 'least', limit: min, of, isMin: true, reaches: (limit) => oneIsAtMost(value, limit) }),
      ...limited({ what: 'each', limit: each, of, reaches: (limit) => oneIsAtLeast(value, limit) }),
      ...limited({
        what: 'all',
        limit: all,
        of: (acts) => [sumOf(of(acts))],
        reaches: (limit) => sumIsAtLeast(value, limit),
      }),
    ];
  });
  const unit = parseNumber(String(amount.unit), '').numerator;
  const money = defined(moneyOf(step, plan)).flatMap(
    ({ bound, currency, amounts: { each, all } }): readonly Shown[] => {
      const ofCurrency = typeof amount.currency === 'string' ? undefined : currency;
      const { numberIn, oneIsAtLeast, sumIsAtLeast } = rulesAbout(step, ofCurrency);
      const value = numberIn(bound.number, unit);
      const isIt = (act: DrawnAct) => ofCurrency === undefined || currencyOf(act) === ofCurrency;
      const of = (acts: readonly DrawnAct[]) => acts.filter(isIt).map(({ a }) => BigInt(a) * unit);
      return [
        ...limited({ what: 'money each', limit: each, of, reaches: (limit) => oneIsAtLeast(value, limit) }),
        ...limited({
          what: 'money all',
          limit: all,
          of: (acts) => [sumOf(of(acts))],
          reaches: (limit) => sumIsAtLeast(value, limit),
        }),
      ];
    },
  );
  const times: Shown = {
    what: 'times',
    limit: BigInt(maxActions(step, plan)),
    of: (acts) => [BigInt(acts.length)],
    reaches: (limit) => rulesAbout(step).countIsAtLeast(limit),
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

interface Count {
  shown: number;
  tight: number;
  undecided: number;
}

test('no run that passes does more than the bounds say that are approved, and most bounds are tight', (t) => {
  const counts = new Map<string, Count>();
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
    // The solver is asked about some plans: each bound that no drawn run reached.
    if (seed >= sized(100, 12)) continue;
    for (const index of done) {
      for (const { shown, isReached } of bySteps[index] ?? []) {
        const count = counts.get(shown.what) ?? { shown: 0, tight: 0, undecided: 0 };
        const canBe = isReached || canReach(one.plan, index, shown.reaches(shown.limit), solver);
        count.shown += 1;
        if (canBe === true) count.tight += 1;
        if (canBe === undefined) count.undecided += 1;
        counts.set(shown.what, count);
      }
    }
  }
  t.true(valid > 20 * runs(3_000), `${valid} runs`);
  const total = (part: keyof Count) => [...counts.values()].reduce((sum, count) => sum + count[part], 0);
  const said = Array.from(counts, ([what, { shown, tight, undecided }]) => `${what} ${tight}/${shown} (${undecided})`);
  t.true(total('tight') > 0.95 * total('shown'), said.join(', '));
  t.true(total('undecided') <= 0.02 * total('shown'), said.join(', '));
});

import test from 'ava';
import { type Expression, literal, type Term } from '../../../../workers/plan/language/terms.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import type { Plan } from '../../../../workers/plan/plan.ts';
import { evaluate } from '../../../../workers/verdict/decide/evaluate.ts';
import { allowancesOf } from '../../../../workers/verdict/search/continuations.ts';
import {
  countKey,
  type RemainingActions,
  remainingActionsOf,
} from '../../../../workers/verdict/search/remaining-actions.ts';
import { fc } from '../../../kit/fast-check.ts';
import { openAction, outlookPlan, stepOf } from '../../../models/outlook-plan.ts';

function restIn(plan: Plan, done = 0) {
  const { session, situation } = openAction(plan, stepOf(plan));
  const actions = Array.from({ length: done }, () => ({ stepId: 'pay' }));
  const rests = remainingActionsOf(plan, allowancesOf(plan, actions), { session, actionOf: () => situation });
  return { session, rests, rest: rests.get('pay') };
}

function open(plan: Plan): { readonly rest: RemainingActions; readonly session: ReturnType<typeof restIn>['session'] } {
  const { rest, session } = restIn(plan);
  if (rest === undefined) throw new Error('no rest');
  return { rest, session };
}

const reference = (scope: 'arg' | 'resp', name: string): Expression => ({ op: 'reference', scope, name });
const [n, m, fee] = [reference('arg', 'n'), reference('arg', 'm'), reference('resp', 'fee')];

test('a step whose actions were all done has no rest', (t) => {
  const plan = outlookPlan({ pay: 'times: 0..2', steps: 'look: { tool: look@1, times: 0..3 }' });
  t.deepEqual([...restIn(plan).rests.keys()], ['pay', 'look']);
  t.deepEqual([...restIn(plan, 1).rests.keys()], ['pay', 'look']);
  t.deepEqual([...restIn(plan, 2).rests.keys()], ['look']);
});

test('as many actions can follow as are left', (t) => {
  const plan = outlookPlan({ pay: 'times: 0..4' });
  const { session } = restIn(plan, 1);
  t.deepEqual(session.variables.get(countKey('pay')), { type: 'int', min: 0n, max: 3n });
});

/** An action that follows, and which values its sums then have. */
interface Act {
  readonly n: number;
  readonly m: number;
  readonly fee: number;
}
const acts = fc.array(
  fc.record({
    n: fc.integer({ min: 0, max: 3 }),
    m: fc.integer({ min: -2, max: 2 }),
    fee: fc.integer({ min: 2, max: 9 }),
  }),
  { maxLength: 4 },
);
const total = (all: readonly Act[], of: (act: Act) => number) => BigInt(all.reduce((sum, act) => sum + of(act), 0));

/** The facts, with these values of the variables. */
const holds = (facts: readonly { readonly term: Term }[], values: ReadonlyMap<string, Value>) =>
  facts.every(({ term }) => evaluate(term, values) === true);

const keyOf = (term: Term): string => {
  if (term.op !== 'variable') throw new Error(term.op);
  return term.key;
};

test('sums of linear expressions are exact in the sums of single numbers, which rules share', (t) => {
  const { rest, session } = open(outlookPlan());
  const sums: readonly (readonly [Expression, (act: Act) => number])[] = [
    [n, (act) => act.n],
    [{ op: '+', args: [n, { op: '*', arg: m, by: -3n }, literal(5n)] }, (act) => act.n - 3 * act.m + 5],
    [{ op: '+', args: [fee, m] }, (act) => act.fee + act.m],
    [literal(2n), () => 2],
  ];
  const terms = sums.map(([expression]) => rest.sum(expression));
  t.deepEqual(
    rest.bases().map(({ scope, name }) => `${scope} ${name}`),
    ['arg n', 'arg m', 'resp fee'],
  );
  t.deepEqual(
    rest.bases().map(({ interval }) => interval),
    [
      { min: 0n, max: 3n },
      { min: -2n, max: 2n },
      { min: 2n, max: 9n },
    ],
  );
  fc.assert(
    fc.property(acts, (all) => {
      const values = new Map<string, Value>([[countKey('pay'), BigInt(all.length)]]);
      for (const { name, sum } of rest.bases()) {
        values.set(
          keyOf(sum),
          total(all, (act) => (name === 'n' ? act.n : name === 'm' ? act.m : act.fee)),
        );
      }
      return (
        holds(session.facts, values) &&
        sums.every(([, of], index) => {
          const term = terms[index];
          return term !== undefined && evaluate(term, values) === total(all, of);
        })
      );
    }),
  );
});

/** Least and greatest sum that the facts allow, for so many actions. */
function allowed(expression: Expression, isPartial: boolean, count: number): readonly number[] {
  const { rest, session } = open(outlookPlan());
  const key = keyOf(rest.sum(expression, { isPartial }));
  const ok = Array.from({ length: 121 }, (_, index) => index - 60).filter((sum) =>
    holds(
      session.facts,
      new Map([
        [countKey('pay'), BigInt(count)],
        [key, BigInt(sum)],
      ]),
    ),
  );
  return [Math.min(...ok), Math.max(...ok)];
}

test('other sums are between the least and the greatest that so many actions can have', (t) => {
  t.deepEqual(allowed({ op: 'max', left: n, right: fee }, false, 3), [6, 27]);
  t.deepEqual(allowed({ op: 'min', left: { op: '*', arg: fee, by: -1n }, right: m }, false, 2), [-18, -4]);
  t.deepEqual(allowed({ op: 'max', left: n, right: fee }, false, 0), [0, 0]);
});

test('a sum over some of the actions can be that over none of them', (t) => {
  t.deepEqual(allowed(fee, true, 3), [0, 27]);
  t.deepEqual(allowed({ op: '*', arg: fee, by: -1n }, true, 3), [-27, 0]);
  t.deepEqual(allowed(m, true, 3), [-6, 6]);
  t.deepEqual(allowed(fee, true, 0), [0, 0]);
});

test('a number of which no bounds are known has any sum', (t) => {
  const { rest, session } = open(outlookPlan());
  const key = keyOf(rest.sum(reference('resp', 'other'), { isPartial: true }));
  for (const sum of [-(10n ** 80n), 10n ** 80n]) {
    t.true(
      holds(
        session.facts,
        new Map([
          [countKey('pay'), 1n],
          [key, sum],
        ]),
      ),
    );
  }
});

test('where a table gives the arguments, sums are exact in how many actions have each row', (t) => {
  const plan = outlookPlan({ pay: `times: 0..4, where: 'args.free == approved[args.invoice].amount'` });
  const { rest, session } = open(plan);
  const rows = rest.rows ?? [];
  t.deepEqual(
    rows.map(({ args }) => [args.get('invoice'), args.get('free')]),
    [
      ['A', 30n],
      ['B', -5n],
      ['C', 12n],
    ],
  );
  const free = reference('arg', 'free');
  const sum = rest.sum({ op: '+', args: [{ op: '*', arg: free, by: 2n }, literal(1n)] });
  t.deepEqual(rest.bases(), [], 'no free number is needed');
  const at = (...counts: readonly bigint[]): ReadonlyMap<string, Value> =>
    new Map([
      [countKey('pay'), counts.reduce((a, b) => a + b, 0n)],
      ...rows.map(({ times }, index) => [keyOf(times), counts[index] ?? 0n] as const),
    ]);
  t.is(evaluate(sum, at(1n, 2n, 1n)), 61n - 18n + 25n);
  t.is(evaluate(sum, at(0n, 0n, 0n)), 0n);
  t.true(holds(session.facts, at(1n, 2n, 1n)));
  t.false(holds(session.facts, new Map([...at(1n, 2n, 1n), [countKey('pay'), 3n]])), 'each action has one row');
  for (const { times } of rows) t.deepEqual(session.variables.get(keyOf(times)), { type: 'int', min: 0n, max: 4n });
});

test('a number that the rows do not give has a sum of its own', (t) => {
  const plan = outlookPlan({ pay: `times: 0..4, where: 'args.free == approved[args.invoice].amount'` });
  const { rest } = open(plan);
  rest.sum({ op: '+', args: [reference('arg', 'free'), n] });
  t.deepEqual(
    rest.bases().map(({ name }) => name),
    ['free', 'n'],
  );
  const other = open(plan).rest;
  other.sum(fee);
  t.deepEqual(
    other.bases().map(({ scope }) => scope),
    ['resp'],
  );
});

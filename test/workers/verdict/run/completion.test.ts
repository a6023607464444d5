import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { decide } from '../../../../workers/verdict/decide/decide.ts';
import { judgeKnown } from '../../../../workers/verdict/decide/ground-values.ts';
import { constraintsProblem } from '../../../../workers/verdict/run/constraints.ts';
import { readActions, readIntents } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeCompletion } from '../../../../workers/verdict/search/complete-run.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { fc } from '../../../kit/fast-check.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay } from '../../../models/refund-run.ts';
import { actionsOf, listedCases, planOf, sheetsOf, type TinyCase, tinyCases } from '../../../models/tiny-plans.ts';
import { tryAll } from '../../../models/try-tiny-plans.ts';
import { drawCases } from '../../../models/verdict-cases.ts';

const by = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };
const RUNS = 36;

function readTiny(one: TinyCase) {
  const read = readPlan(planOf(one), sheetsOf(one));
  return {
    plan: read,
    actions: one.isRecorded ? readActions(actionsOf(one), read) : readIntents(actionsOf(one), read),
  };
}

for (const [what, drawn] of [
  ['plans', tinyCases],
  ['plans whose arguments are listed', listedCases],
] as const) {
  test(`decides whether a run of small ${what} can be completed, never against brute force`, (t) => {
    const counts = { satisfied: 0, violated: 0, indeterminate: 0 };
    fc.assert(
      fc.property(drawn, (one) => {
        const expected = tryAll(one) ? 'satisfied' : 'violated';
        const { verdict } = judgeCompletion(readTiny(one), by);
        if (verdict === 'indeterminate') counts.indeterminate += 1;
        else {
          t.is(verdict, expected, JSON.stringify(one));
          counts[expected] += 1;
        }
      }),
      { numRuns: RUNS, seed: 1 },
    );
    for (const answer of ['satisfied', 'violated'] as const)
      t.true(counts[answer] >= 0.15 * RUNS, JSON.stringify(counts));
    t.true(counts.indeterminate <= 0.25 * RUNS, JSON.stringify(counts));
  });
}

for (const kind of ['alignment', 'constraints'] as const) {
  test(`${kind}: the verdicts of the evaluator match brute force, and each verdict is frequent`, (t) => {
    const counts = new Map<string, number>();
    for (const { problem, right } of drawCases(kind, 1, 300)) {
      const verdict: string | undefined = judgeKnown(problem);
      if (verdict === undefined) continue;
      t.is(verdict, right);
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    }
    for (const verdict of ['satisfied', 'violated']) t.true((counts.get(verdict) ?? 0) >= 45, verdict);
  });
}

const free = { effect: ['*', ['state', 'x'], 2], where: [], after: [], min: 0, max: 1 };
const later = { ...free, effect: ['+', ['state', 'x'], 1], after: [0] };
const once = (step: number, times: number) => ['=', ['count', `s${step}`], times];
const tiny = (parts: Partial<TinyCase>) =>
  readTiny({
    initial: 0,
    done: [],
    isRecorded: true,
    sheets: [],
    steps: [free, later, free],
    constraints: [],
    ...parts,
  });
const ended = (parts: Partial<TinyCase>) => judgeCompletion(tiny(parts), by);

test('no step is done before one that it waits for, nor more often than it may be', (t) => {
  t.is(ended({ constraints: [once(1, 1), once(0, 0)] }).verdict, 'violated');
  t.is(ended({ steps: [free, free], constraints: [once(0, 2)] }).verdict, 'violated');
  // The first step can only be done after the second, which waits for it.
  const circle = [{ ...free, where: [['!=', ['state', 'x'], 0]] }, later, free];
  t.not(ended({ steps: circle, constraints: [once(1, 1)] }).verdict, 'satisfied');
});

test('done actions and further ones are checked against the sheets of their step', (t) => {
  const sheet = { step: 0, bind: ['arg', 'a'], bounds: { min: 1 }, rule: ['!=', ['var', 'v'], 2] };
  const one = { steps: [{ ...free, max: 2 }], sheets: [sheet] };
  const judged = (a: number) => {
    const done = { ...one, done: [{ step: 0, a, r: 0 }] };
    return [decide(constraintsProblem(tiny(done), 'holds'), by), ended(done)].map((decision) => [
      decision.verdict,
      ...('core' in decision ? decision.core : []),
    ]);
  };
  t.deepEqual(judged(1), [['satisfied'], ['satisfied']]);
  t.deepEqual(judged(2)[0], ['violated', '/actions/0/sheets/0/rule']);
  t.deepEqual(judged(0)[1], ['violated', '/actions/0/sheets/0/bind/v']);
  const tooMuch = ['>=', ['sum', 's0', 'p', ['arg', 'p', 'a']], 3];
  t.not(ended({ ...one, constraints: [tooMuch] }).verdict, 'satisfied');
});

const complete = (documents: readonly unknown[], over: object = REFUND_PLAN) => {
  const plan = readPlan(over);
  const { verdict, core } = judgeCompletion({ plan, actions: readActions(documents, plan) }, by);
  return [verdict, ...core];
};

test('a refund can be completed after a part of it, but not after too much', (t) => {
  t.deepEqual(complete([]), ['satisfied']);
  t.deepEqual(complete([look, pay('50.00', '30.00')]), ['satisfied']);
  const over = [look, pay('90.00', '-10.00')];
  const [verdict, ...core] = complete(over);
  t.is(verdict, 'violated');
  t.true(core.includes('/constraints/whole'), core.join());
  t.deepEqual(complete(over, { ...BOUNDED_PLAN, constraints: [] }), ['violated', '/actions/1/state/refundable']);
  const all = { id: 'all', expr: ['=', ['sum', 'pay', 'p', ['arg', 'p', 'amount']], ['dec', '90.00']] };
  t.not(complete([look], { ...BOUNDED_PLAN, constraints: [all] })[0], 'satisfied');
});

for (const [step, state] of [
  ['look', 'count'],
  ['pay', 'present'],
] as const) {
  test(`a step named "state" does not collide with a state variable named "${state}"`, (t) => {
    const text = JSON.stringify(BOUNDED_PLAN)
      .replaceAll(`"${step}"`, '"state"')
      .replaceAll('"refundable"', `"${state}"`);
    t.deepEqual(complete([], JSON.parse(text)), ['satisfied']);
  });
}

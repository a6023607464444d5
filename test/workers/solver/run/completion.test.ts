import test from 'ava';
import { decide } from '../../../../workers/solver/decide/decide.ts';
import type { Plan } from '../../../../workers/solver/plan/plan.ts';
import { readPlan } from '../../../../workers/solver/plan/read-plan.ts';
import { completionProblem } from '../../../../workers/solver/run/completion.ts';
import { constraintsProblem } from '../../../../workers/solver/run/constraints.ts';
import { countedCompletionProblem } from '../../../../workers/solver/run/counted-completion.ts';
import { judgeCompletion } from '../../../../workers/solver/run/judge-completion.ts';
import { readActions, readIntents } from '../../../../workers/solver/run/read-actions.ts';
import { modelRun } from '../../../../workers/solver/run/run-model.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/solver/z3/z3.ts';
import { fc } from '../../../helpers/fast-check.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { BOUNDED_PLAN, look, pay, plan } from '../../../models/refund-run.ts';
import { actionsOf, listedCases, planOf, sheetsOf, type TinyCase, tinyCases } from '../../../models/tiny-plans.ts';
import { obeysRules, tryAll } from '../../../models/try-tiny-plans.ts';

const solver = await sharedZ3();
const RUNS = 36;

function readTiny(one: TinyCase) {
  const read = readPlan(planOf(one), sheetsOf(one));
  return { read, actions: one.isRecorded ? readActions(actionsOf(one), read) : readIntents(actionsOf(one), read) };
}

test('decides whether a run can be completed as brute force does, and each answer is frequent', (t) => {
  let satisfied = 0;
  fc.assert(
    fc.property(tinyCases, (one) => {
      const { read, actions } = readTiny(one);
      const expected = tryAll(one);
      const { verdict } = decide(completionProblem(read, actions), { solver, rlimit: DEFAULT_RLIMIT });
      satisfied += Number(expected);
      t.is(verdict, expected ? 'satisfied' : 'violated');
    }),
    { numRuns: RUNS, seed: 1 },
  );
  t.true(satisfied >= 0.15 * RUNS && satisfied <= 0.85 * RUNS, `${satisfied} of ${RUNS}`);
});

test('counting actions gives the same answer as brute force and as one slot per action', (t) => {
  const counts = { satisfied: 0, violated: 0 };
  fc.assert(
    fc.property(listedCases, (one) => {
      const { read, actions } = readTiny(one);
      const problem = countedCompletionProblem(read, actions);
      if (problem === undefined) return;
      const expected = tryAll(one) ? 'satisfied' : 'violated';
      counts[expected] += 1;
      t.is(decide(problem, { solver, rlimit: DEFAULT_RLIMIT }).verdict, expected);
      t.is(decide(completionProblem(read, actions), { solver, rlimit: DEFAULT_RLIMIT }).verdict, expected);
      t.is(judgeCompletion(read, actions, { solver, rlimit: DEFAULT_RLIMIT }).verdict, expected);
    }),
    { numRuns: 2 * RUNS, seed: 1 },
  );
  for (const [answer, count] of Object.entries(counts)) t.true(count >= 0.2 * RUNS, `${answer}: ${count}`);
});

test('decides whether a run obeys the rules as brute force does, with states inside and outside their types', (t) => {
  const counts = new Map<boolean | undefined, number>();
  fc.assert(
    fc.property(tinyCases, (one) => {
      const { read, actions } = readTiny(one);
      const expected = obeysRules(one);
      const { verdict } = decide(constraintsProblem(read, modelRun(read, actions)), { solver, rlimit: DEFAULT_RLIMIT });
      counts.set(expected, (counts.get(expected) ?? 0) + 1);
      if (expected === undefined) t.is(verdict, 'underdetermined');
      else if (expected) t.is(verdict, 'satisfied');
      else t.true(verdict === 'violated', verdict);
    }),
    { numRuns: RUNS, seed: 1 },
  );
  for (const answer of [true, false])
    t.true((counts.get(answer) ?? 0) >= 0.15 * RUNS, `${counts.get(answer)} of ${RUNS}`);
});

const free = { effect: ['*', ['state', 'x'], 2], where: [], after: [], min: 0, max: 1 };
const later = { ...free, effect: ['+', ['state', 'x'], 1], after: [0] };
const wanted = ['=', ['count', 's1'], 1];
const IMPOSSIBLE: Readonly<Record<string, Pick<TinyCase, 'steps' | 'constraints'>>> = {
  'before one that it waits for and that is never done': {
    steps: [free, later, free],
    constraints: [wanted, ['=', ['count', 's0'], 0]],
  },
  'before one that it waits for and that can be done only afterwards': {
    steps: [{ ...free, where: [['!=', ['state', 'x'], 0]] }, later, free],
    constraints: [wanted],
  },
  'once more than it may be': { steps: [free, free], constraints: [['=', ['count', 's0'], 2]] },
};

for (const [what, parts] of Object.entries(IMPOSSIBLE)) {
  test(`no step is done ${what}, although a slot is free`, (t) => {
    const { read, actions } = readTiny({ initial: 0, done: [], isRecorded: true, sheets: [], ...parts });
    const { verdict } = decide(completionProblem(read, actions), { solver, rlimit: DEFAULT_RLIMIT });
    t.true(verdict === 'violated', verdict);
  });
}

test('done actions and further ones are checked against the sheets of their step', (t) => {
  const sheet = { step: 0, bind: ['arg', 'a'], bounds: { min: 1 }, rule: ['!=', ['var', 'v'], 2] };
  const one = { initial: 0, steps: [{ ...free, max: 2 }], constraints: [], sheets: [sheet], isRecorded: true };
  const judged = (a: number) => {
    const { read, actions } = readTiny({ ...one, done: [{ step: 0, a, r: 0 }] });
    const held = decide(constraintsProblem(read, modelRun(read, actions)), { solver, rlimit: DEFAULT_RLIMIT });
    const ended = decide(completionProblem(read, actions), { solver, rlimit: DEFAULT_RLIMIT });
    return [held, ended].map((decision) => [decision.verdict, ...('core' in decision ? decision.core : [])]);
  };
  t.deepEqual(judged(1), [['satisfied'], ['satisfied']]);
  t.deepEqual(judged(2)[0], ['violated', '/actions/0/sheets/0/rule']);
  t.deepEqual(judged(0)[1], ['violated', '/actions/0/sheets/0/bind/v']);
  const { read, actions } = readTiny({ ...one, constraints: [['>=', ['sum', 's0', ['arg', 'a']], 3]], done: [] });
  const { verdict, ...rest } = decide(completionProblem(read, actions), { solver, rlimit: DEFAULT_RLIMIT });
  t.is(verdict, 'violated');
  t.like(rest, { core: ['/constraints/0', '/sheets/0/rule'] });
});

function complete(documents: readonly unknown[]) {
  const decision = decide(completionProblem(plan, readActions(documents, plan)), { solver, rlimit: DEFAULT_RLIMIT });
  return 'core' in decision ? [decision.verdict, ...decision.core] : decision.verdict;
}

test('a refund can be completed after a part of it, but not after too much', (t) => {
  t.is(complete([]), 'satisfied');
  t.is(complete([look, pay('50.00', '30.00')]), 'satisfied');
  t.deepEqual(complete([look, pay('90.00', '-10.00')]), [
    'violated',
    '/constraints/whole',
    '/completion/pay/where/positive',
  ]);
});

test('a refund beyond the rest cannot be completed, with the reason STATE_OUT_OF_RANGE', (t) => {
  const read = (over: object) => readPlan({ ...BOUNDED_PLAN, ...over });
  const answer = (by: Plan, documents: readonly unknown[]) => {
    const decision = decide(completionProblem(by, readActions(documents, by)), { solver, rlimit: DEFAULT_RLIMIT });
    return 'core' in decision ? [decision.verdict, ...decision.core] : decision.verdict;
  };
  t.deepEqual(answer(read({ constraints: [] }), [look, pay('90.00', '-10.00')]), [
    'violated',
    '/actions/1/state/refundable',
  ]);
  const all = { id: 'all', expr: ['=', ['sum', 'pay', ['arg', 'amount']], ['dec', '90.00']] };
  t.deepEqual(answer(read({ constraints: [all] }), [look]), [
    'violated',
    '/constraints/all',
    '/completion/pay/state/refundable',
  ]);
});

for (const [step, state] of [
  ['look', 'count'],
  ['pay', 'present'],
] as const) {
  test(`a step named "state" does not collide with a state variable named "${state}"`, (t) => {
    const text = JSON.stringify(BOUNDED_PLAN)
      .replaceAll(`"${step}"`, '"state"')
      .replaceAll('"refundable"', `"${state}"`);
    const renamed = readPlan(JSON.parse(text));
    const { verdict } = decide(completionProblem(renamed, []), { solver, rlimit: DEFAULT_RLIMIT });
    t.is(verdict, 'satisfied');
  });
}

test('a witness shows how the run can be completed', (t) => {
  const actions = readActions([look, pay('50.00', '30.00')], plan);
  const decision = decide(completionProblem(plan, actions), { solver, rlimit: DEFAULT_RLIMIT });
  if (decision.verdict !== 'satisfied') return t.fail(decision.verdict);
  t.is(decision.witness?.get('/completion/0/present/pay'), true);
  return t.is(decision.witness?.get('/completion/0/pay/args/amount'), '30.00');
});

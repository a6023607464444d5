import test from 'ava';
import { createNodeBudget } from '../../../../workers/plan/language/expand.ts';
import type { SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { SmtError } from '../../../../workers/verdict/decide/smt-solver.ts';
import { placed } from '../../../../workers/verdict/run/placed-action.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { AS_WRITTEN } from '../../../../workers/verdict/search/links.ts';
import { type AttemptOptions, tryContinuation } from '../../../../workers/verdict/search/try-continuation.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { paid, payPlan, undone } from '../../../models/pay-plan.ts';

const z3 = await sharedZ3();

interface Tried extends Partial<Omit<AttemptOptions, 'solver'>> {
  readonly count?: number;
  readonly done?: readonly unknown[];
  readonly solver?: SmtSolver;
}

/** Tries to complete a run with some payments. */
function tryPaying(
  parts: Parameters<typeof payPlan>[0],
  { count = 1, done = [], solver = z3, ...options }: Tried = {},
) {
  const plan = payPlan(parts);
  const actions = Array.from({ length: count }, (_, number) => {
    return { ...undone(plan, number), path: `/completion/${number}`, index: undefined };
  });
  const beginning = { plan, done: placed(readActions(done, plan)), runContext: undefined };
  const spend = createNodeBudget(1_000_000);
  const limits = { solver: { solver, rlimit: DEFAULT_RLIMIT }, schedule: new Map(), areMany: false, spend, ...options };
  return tryContinuation(beginning, { actions, order: AS_WRITTEN }, limits);
}

const never: SmtSolver = {
  check() {
    throw new SmtError('asked');
  },
};

test('a completed run that obeys every rule is a witness, with the values that the solver found', (t) => {
  const { decision } = tryPaying({ rules: ['sum(pay, p, p.n) == 5'] }, { count: 2 });
  if (decision?.verdict !== 'satisfied' || !('witness' in decision)) return t.fail();
  const values = [0, 1].map((number) => Number(decision.witness?.get(`/completion/${number}/args/n`)));
  t.deepEqual(values.toSorted(), [2, 3]);
});

test('rules that are false already need no solver', (t) => {
  const attempt = tryPaying(
    { rules: ['count(pay) == 3', 'count(pay) < 3', 'count(pay) > 4'] },
    { count: 2, solver: never },
  );
  t.deepEqual(attempt, { broken: ['/constraints/r0', '/constraints/r2'], isUnknown: false, rlimitUsed: 0 });
});

test('conditions of actions that follow and bounds of states are rules, and conditions of what was done are not', (t) => {
  const pay = `times: 0..4, where: { rich: 'state.left > 3' }, effects: { left: state.left - 5 }`;
  t.deepEqual(tryPaying({ state: 'left: 5', pay }, { count: 2 }).broken, ['/completion/pay/where/rich']);
  t.is(tryPaying({ state: 'left: 5', pay }, { count: 1 }).decision?.verdict, 'satisfied');
  t.is(tryPaying({ state: 'left: 2', pay }, { count: 0, done: [paid()] }).decision?.verdict, 'satisfied');
  const bounded = {
    state: 'left: { type: "int(0..9)", initial: 5 }',
    pay: 'times: 0..4, effects: { left: state.left - 3 }',
  };
  t.deepEqual(tryPaying(bounded, { count: 2 }).broken, ['/completion/1/state/left']);
  t.is(tryPaying(bounded, { count: 1 }).decision?.verdict, 'satisfied');
});

test('rules that the solver finds contradictory are broken, and its steps are counted', (t) => {
  let [checks, used] = [0, 0];
  const solver: SmtSolver = {
    check(query) {
      const rlimitUsed = 100 + checks;
      checks += 1;
      used += rlimitUsed;
      return { ...z3.check(query), rlimitUsed };
    },
  };
  const attempt = tryPaying({ rules: ['sum(pay, p, p.n) == 7'] }, { count: 2, solver });
  t.deepEqual(attempt, { broken: ['/constraints/r0'], isUnknown: false, rlimitUsed: used });
});

const FIVE = { rules: ['sum(pay, p, p.n) == 5'] };
const tired: SmtSolver = { check: () => ({ status: 'unknown', reason: 'tired', rlimitUsed: 7, script: '' }) };

test('a solver that gives up leaves it unknown', (t) => {
  t.deepEqual(tryPaying(FIVE, { count: 2, solver: tired }), { broken: [], isUnknown: true, rlimitUsed: 7 });
});

test('a solver that fails, or whose witness the evaluator finds wrong, is a fault of the engine', (t) => {
  const liar: SmtSolver = {
    check(query) {
      const answer = z3.check(query);
      if (answer.status !== 'sat') return answer;
      const model = new Map([...answer.model].map(([name, value]) => [name, typeof value === 'boolean' ? value : 1n]));
      return { ...answer, model };
    },
  };
  for (const solver of [never, liar]) {
    t.is(tryPaying(FIVE, { count: 2, solver }).decision?.verdict, 'engine_error');
  }
});

test('all attempts share their nodes, of which a witness that the evaluator checks takes some', (t) => {
  const spentBy = (solver: SmtSolver) => {
    let spent = 0;
    const spend = (nodes: number) => {
      spent += nodes;
    };
    tryPaying(FIVE, { count: 2, solver, spend });
    return spent;
  };
  t.true(spentBy(z3) > spentBy(tired) && spentBy(tired) > 0);
  const most = spentBy(tired) + 1;
  const spend = createNodeBudget(most);
  tryPaying(FIVE, { count: 2, solver: tired, spend });
  t.throws(() => tryPaying(FIVE, { count: 2, solver: tired, spend }), { message: new RegExp(`${most}`) });
});

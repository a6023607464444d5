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
import { outlookPlan, paid, stepOf } from '../../../models/outlook-plan.ts';

const z3 = await sharedZ3();

interface Tried extends Partial<Omit<AttemptOptions, 'solver'>> {
  readonly count?: number;
  readonly done?: readonly unknown[];
  readonly solver?: SmtSolver;
}

/** Tries to complete a run with some payments. */
function tryPaying(
  parts: Parameters<typeof outlookPlan>[0],
  { count = 1, done = [], solver = z3, ...options }: Tried = {},
) {
  const plan = outlookPlan(parts);
  const step = stepOf(plan);
  const actions = Array.from({ length: count }, (_, number) => {
    return {
      path: `/completion/${number}`,
      step,
      args: undefined,
      response: undefined,
      record: undefined,
      index: undefined,
    };
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

test('nothing is open where conditions give all arguments', (t) => {
  const { decision } = tryPaying(
    { pay: `times: 0..4, where: 'args.n == 2'`, rules: ['sum(pay, p, p.n) == 4'] },
    { count: 2 },
  );
  t.is(decision?.verdict, 'satisfied');
});

test('rules that are false already need no solver', (t) => {
  const attempt = tryPaying(
    { rules: ['count(pay) == 3', 'count(pay) < 3', 'count(pay) > 4'] },
    { count: 2, solver: never },
  );
  t.deepEqual(attempt, { broken: ['/constraints/r0', '/constraints/r2'], isUnknown: false, rlimitUsed: 0 });
});

test('conditions of actions that follow are rules, and those of actions that were done are not', (t) => {
  const pay = `times: 0..4, where: { rich: 'state.left > 3' }, effects: { left: state.left - 5 }`;
  const state = 'left: 5';
  const broken = (attempt: ReturnType<typeof tryPaying>) => attempt.broken;
  t.deepEqual(broken(tryPaying({ state, pay }, { count: 2 })), ['/completion/pay/where/rich']);
  t.is(tryPaying({ state, pay }, { count: 1 }).decision?.verdict, 'satisfied');
  t.is(tryPaying({ state: 'left: 2', pay }, { count: 0, done: [paid()] }).decision?.verdict, 'satisfied');
});

test('a state that leaves its type is broken', (t) => {
  const state = 'left: { type: "int(0..9)", initial: 5 }';
  const pay = 'times: 0..4, effects: { left: state.left - 3 }';
  t.deepEqual(tryPaying({ state, pay }, { count: 2 }).broken, ['/completion/1/state/left']);
  t.is(tryPaying({ state, pay }, { count: 1 }).decision?.verdict, 'satisfied');
});

test('rules that the solver finds contradictory are broken, and its steps are counted', (t) => {
  const used: number[] = [];
  const solver: SmtSolver = {
    check(query) {
      const answer = { ...z3.check(query), rlimitUsed: 100 + used.length };
      used.push(answer.rlimitUsed);
      return answer;
    },
  };
  const attempt = tryPaying({ rules: ['sum(pay, p, p.n) == 7'] }, { count: 2, solver });
  t.deepEqual(attempt.broken, ['/constraints/r0']);
  t.is(attempt.decision === undefined && attempt.isUnknown, false);
  t.is(
    attempt.decision === undefined && attempt.rlimitUsed,
    used.reduce((sum, each) => sum + each, 0),
  );
});

test('a solver that gives up leaves it unknown', (t) => {
  const solver: SmtSolver = { check: () => ({ status: 'unknown', reason: 'tired', rlimitUsed: 7, script: '' }) };
  t.deepEqual(tryPaying({ rules: ['sum(pay, p, p.n) == 5'] }, { count: 2, solver }), {
    broken: [],
    isUnknown: true,
    rlimitUsed: 7,
  });
});

test('a solver that fails is a fault of the engine', (t) => {
  const { decision } = tryPaying({ rules: ['sum(pay, p, p.n) == 5'] }, { count: 2, solver: never });
  t.is(decision?.verdict, 'engine_error');
});

test('a witness that the evaluator does not find right is a fault of the engine', (t) => {
  const liar: SmtSolver = {
    check(query) {
      const answer = z3.check(query);
      if (answer.status !== 'sat') return answer;
      const model = new Map([...answer.model].map(([name, value]) => [name, typeof value === 'boolean' ? value : 1n]));
      return { ...answer, model };
    },
  };
  const { decision } = tryPaying({ rules: ['sum(pay, p, p.n) == 5'] }, { count: 2, solver: liar });
  t.is(decision?.verdict, 'engine_error');
});

test('a schedule gives the times of actions that follow', (t) => {
  const rules = ['pay.all(p, p.started_at == timestamp("2026-12-01T00:00:00Z"))'];
  const at = BigInt(Date.parse('2026-12-01T00:00:00Z')) * 1000n;
  const times = (instant: bigint) =>
    new Map(
      ['/run/approved_at', '/completion/0/started_at', '/completion/0/ended_at'].map((key) => [key, instant] as const),
    );
  t.is(tryPaying({ rules }, { schedule: times(at) }).decision?.verdict, 'satisfied');
  t.deepEqual(tryPaying({ rules }, { schedule: times(at + 1n), solver: never }).broken, ['/constraints/r0']);
});

test('all attempts share their nodes', (t) => {
  const spend = createNodeBudget(300);
  t.throws(
    () => {
      for (let attempt = 0; attempt < 300; attempt++) tryPaying({ rules: ['count(pay) > 4'] }, { spend });
    },
    { message: /300/ },
  );
});

test('the nodes of a witness count as well, when the evaluator checks it', (t) => {
  const tired: SmtSolver = { check: () => ({ status: 'unknown', reason: 'tired', rlimitUsed: 7, script: '' }) };
  const spentBy = (solver: SmtSolver) => {
    let spent = 0;
    const spend = (nodes: number) => {
      spent += nodes;
    };
    tryPaying({ rules: ['sum(pay, p, p.n) == 5'] }, { count: 2, solver, spend });
    return spent;
  };
  t.true(spentBy(z3) > spentBy(tired));
});

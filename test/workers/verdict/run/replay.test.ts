import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import type { SmtSolver } from '../../../../workers/verdict/decide/smt-solver.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { judgeReplay } from '../../../../workers/verdict/run/replay.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/verdict/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay, plan } from '../../../models/refund-run.ts';

const judge = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

const judgeRun = (documents: readonly unknown[], by = plan, solver: SmtSolver = judge.solver) =>
  judgeReplay({ plan: by, actions: readActions(documents, by) }, { ...judge, solver });

const replay = (documents: readonly unknown[], by = plan) => {
  const { replay: judgement, assurance } = judgeRun(documents, by);
  if (assurance !== undefined) return assurance;
  const [reason, ...others] = judgement.reasons.map(({ code, path }) => ({ code, path }));
  return others.length === 0 ? reason : judgement.reasons;
};

test('a run whose responses follow from its actions is replayed', (t) => {
  const assurance = { recomputed: 0, modelled: 1, recorded: 1, ghost_states: [], reported_times: false };
  t.deepEqual(replay([look, pay('80.00', '0.00')]), assurance);
  t.deepEqual(replay([look, pay('50.00', '30.00'), pay('30.00', '0.00', 'r2')]), { ...assurance, modelled: 2 });
});

test('a forged response diverges at its place', (t) => {
  t.deepEqual(replay([look, pay('80.00', '10.00')]), { code: 'RESPONSE_DIVERGES', path: '/actions/1/response/left' });
});

test('both engines decide a replay, and name what is broken', (t) => {
  const engine = 'evaluator+z3';
  t.like(judgeRun([look, pay('80.00', '0.00')]).replay, { verdict: 'satisfied', engine, checks: [{ status: 'sat' }] });
  const { replay: forged, assurance } = judgeRun([look, pay('80.00', '10.00')]);
  const message = 'refundable is 0.00, and the response says 10.00';
  t.like(forged, { verdict: 'violated', engine, core: ['/actions/1/response/left'], reasons: [{ message }] });
  t.is(assurance, undefined);
});

test('a solver that finds another state, or gives up, lets no replay pass', (t) => {
  const run = [look, pay('50.00', '30.00'), pay('30.00', '0.00', 'r2')];
  // The state after the first payment.
  const mistaken: SmtSolver = {
    check: (query) => {
      const assertions = query.assertions.map(({ name, term }) => ({
        name,
        term: term.replaceAll('(= 3000 ', '(= 3001 '),
      }));
      return judge.solver.check({ ...query, assertions });
    },
  };
  const { replay: wrong, assurance } = judgeRun(run, plan, mistaken);
  t.like(wrong, { verdict: 'engine_error', engine: 'none', reasons: [{ code: 'ENGINE_FAULT' }] });
  t.is(assurance, undefined);
  const tired: SmtSolver = { check: () => ({ status: 'unknown', reason: 'rlimit', rlimitUsed: 1, script: '' }) };
  const { replay: open, assurance: none } = judgeRun(run, plan, tired);
  t.like(open, { verdict: 'indeterminate', engine: 'none', reasons: [{ code: 'SOLVER_GAVE_UP' }] });
  t.is(none, undefined);
});

test('1,000 actions are replayed with one question', (t) => {
  const run = Array.from({ length: 1000 }, (_, index) =>
    pay('0.08', `${(79.92 - index * 0.08).toFixed(2)}`, `r${index}`),
  );
  const { replay: judgement, assurance } = judgeRun(run);
  t.like(judgement, { verdict: 'satisfied', engine: 'evaluator+z3', reasons: [] });
  t.is(judgement.checks.length, 1);
  t.like(assurance, { modelled: 1000, recorded: 0 });
  const forged = run.with(499, pay('0.08', '40.01', 'r499'));
  t.like(judgeRun(forged).replay, { verdict: 'violated', core: ['/actions/499/response/left'] });
});

test('the first of two divergences is reported', (t) => {
  const run = [look, pay('50.00', '20.00'), pay('30.00', '5.00', 'r2')];
  t.deepEqual(replay(run), { code: 'RESPONSE_DIVERGES', path: '/actions/1/response/left' });
});

test('more recorded actions than the plan allows are too many', (t) => {
  const strict = readPlan({ ...REFUND_PLAN, max_recorded: 0 });
  t.deepEqual(replay([look], strict), { code: 'TOO_MANY_RECORDED', path: '/actions/0' });
});

test('a state outside its type diverges', (t) => {
  t.deepEqual(replay([look, pay('90.00', '-10.00')], readPlan(BOUNDED_PLAN)), {
    code: 'STATE_OUT_OF_RANGE',
    path: '/actions/1/state/refundable',
  });
});

test('a condition is reported with the values at its action', (t) => {
  const [order, refund] = REFUND_PLAN.tools;
  const post = [{ id: 'left', expr: ['<=', ['arg', 'amount'], ['state', 'refundable']] }];
  const held = readPlan({ ...REFUND_PLAN, tools: [order, { ...refund, post }] });
  const run = [look, pay('50.00', '30.00'), pay('40.00', '-10.00', 'r2'), pay('5.00', '-15.00', 'r3')];
  const { reasons } = judgeRun(run, held).replay;
  const message = 'is not met: 40.00 <= 30.00 is false';
  t.deepEqual(reasons, [{ code: 'POST_BROKEN', path: '/actions/2/post/left', message }]);
});

test('a broken condition of a tool diverges', (t) => {
  const [order, refund] = REFUND_PLAN.tools;
  const post = [{ id: 'small', expr: ['<=', ['resp', 'total'], ['dec', '79.99']] }];
  const held = readPlan({ ...REFUND_PLAN, tools: [{ ...order, post }, refund] });
  t.deepEqual(replay([look], held), { code: 'POST_BROKEN', path: '/actions/0/post/small' });
});

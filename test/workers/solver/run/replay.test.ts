import test from 'ava';
import { readPlan } from '../../../../workers/solver/plan/read-plan.ts';
import { readActions } from '../../../../workers/solver/run/read-actions.ts';
import { judgeReplay } from '../../../../workers/solver/run/replay.ts';
import { DEFAULT_RLIMIT } from '../../../../workers/solver/z3/z3.ts';
import { sharedZ3 } from '../../../models/open-z3.ts';
import { REFUND_PLAN } from '../../../models/refund-plan.ts';
import { BOUNDED_PLAN, look, pay, plan } from '../../../models/refund-run.ts';

const judge = { solver: await sharedZ3(), rlimit: DEFAULT_RLIMIT };

const judgeRun = (documents: readonly unknown[], by = plan, solver = judge.solver) =>
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

test('a broken condition of a tool diverges', (t) => {
  const [order, refund] = REFUND_PLAN.tools;
  const post = [{ id: 'small', expr: ['<=', ['resp', 'total'], ['dec', '79.99']] }];
  const held = readPlan({ ...REFUND_PLAN, tools: [{ ...order, post }, refund] });
  t.deepEqual(replay([look], held), { code: 'POST_BROKEN', path: '/actions/0/post/small' });
});

import test from 'ava';
import { readPlan } from '../../../../workers/plan/read/read-plan.ts';
import { constraintsProblem } from '../../../../workers/verdict/run/constraints.ts';
import { readActions } from '../../../../workers/verdict/run/read-actions.ts';
import { traceRun } from '../../../../workers/verdict/run/trace.ts';
import { payPlan, undone } from '../../../models/pay-plan.ts';
import { BOUNDED_PLAN, look, pay, plan } from '../../../models/refund-run.ts';

const RUN = [look, pay('50.00', '30.00'), pay('30.00', '0.00', 'r2')];

test('only a state with bounds gives a rule about its type, for each action that changes it', (t) => {
  const idsOf = (over: typeof plan) =>
    constraintsProblem({ plan: over, actions: readActions(RUN, over) }, 'holds').rules.map(({ id }) => id);
  const written = ['/constraints/cap', '/constraints/whole'];
  t.deepEqual(idsOf(plan), written);
  const bounded = [...written, '/actions/1/state/refundable', '/actions/2/state/refundable'];
  t.deepEqual(idsOf(readPlan(BOUNDED_PLAN)), bounded);
  const { min: _, ...type } = BOUNDED_PLAN.state.refundable;
  t.deepEqual(idsOf(readPlan({ ...BOUNDED_PLAN, state: { refundable: { ...type, max: '80.00' } } })), bounded);
});

test('only a map of values with bounds gives a rule about its type', (t) => {
  const boundsOf = (value: string) => {
    const plan = payPlan({
      state: `sent: "map(string(4), ${value}, default 0)"`,
      pay: `times: 0..4, effects: { 'sent[args.payee]': 'state.sent[args.payee] + 1' }`,
    });
    return traceRun(plan, [undone(plan, 0, { payee: 'P' })]).bounds.map(({ id }) => id);
  };
  t.deepEqual(boundsOf('int'), []);
  t.deepEqual(boundsOf('int(0..9)'), ['/actions/0/state/sent']);
});

import test from 'ava';
import { readPlan } from '../../../../workers/solver/plan/read-plan.ts';
import { constraintsProblem } from '../../../../workers/solver/run/constraints.ts';
import { readActions } from '../../../../workers/solver/run/read-actions.ts';
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

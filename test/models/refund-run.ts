import { readPlan } from '../../workers/plan/read/read-plan.ts';
import { REFUND_PLAN } from './refund-plan.ts';

export const plan = readPlan(REFUND_PLAN);
/** The plan with a state that cannot become negative. */
export const BOUNDED_PLAN = {
  ...REFUND_PLAN,
  state: { refundable: { type: 'decimal', scale: 2, min: '0.00', initial: '80.00' } },
};

const TIMES = { started_at: '2026-11-01T10:00:00.000000Z', ended_at: '2026-11-01T10:00:00.000000Z' };

export const look = {
  step_id: 'look',
  tool: 'order.get',
  tool_version: '1.0.0',
  args: { order_id: 'A1' },
  response: { total: '80.00' },
  ...TIMES,
};

export const pay = (amount: string, left: string, id = 'r1') => ({
  step_id: 'pay',
  tool: 'pay.refund',
  tool_version: '2.1.0',
  args: { order_id: 'A1', amount },
  response: { id, left },
  ...TIMES,
});

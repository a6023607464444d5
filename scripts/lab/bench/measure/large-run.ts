import {
  APPROVED,
  invoices,
  paymentPlan,
  paymentRun,
  TRANSFER_TEXT,
  tableOf,
} from '../../../../test/models/payment-plan.ts';
import type { CheckName } from '../../../../workers/verdict/run/checked.ts';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';

const ROWS = 10_000;
/** With the approvals of the large invoices, these are 1,000 actions. */
const PAID = 790;

/** A check of 1,000 actions that pay invoices of a table, under a plan of format 2. */
export function largeRun(check: CheckName): SolverTask {
  const rows = invoices(ROWS);
  const plan = paymentPlan(rows);
  const steps = plan.steps.map((step) => ({ ...step, max: step.step_id === 'pay' ? PAID : 1000 - PAID }));
  const actions = paymentRun(rows.slice(0, PAID));
  return {
    kind: 'check_run',
    check,
    plan: JSON.stringify({ ...plan, steps }),
    sheets: [],
    tools: [TRANSFER_TEXT],
    tables: [tableOf(rows)],
    actions: JSON.stringify(actions),
    runContext: { approvals: APPROVED },
  };
}

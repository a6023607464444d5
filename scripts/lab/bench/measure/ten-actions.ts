import { REFUND_PLAN } from '../../../../test/models/refund-plan.ts';
import { look, pay } from '../../../../test/models/refund-run.ts';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';

const PAYMENTS = 9;
const CENTS = 8000;

const money = (cents: number) => (cents / 100).toFixed(2);

/** A run that follows its plan: an order lookup, then a refund in nine payments, each with its receipt. */
export function verifyTenActions(): Extract<SolverTask, { readonly kind: 'verify' }> {
  const [lookStep, payStep] = REFUND_PLAN.steps;
  const share = Math.floor(CENTS / PAYMENTS);
  const amounts = Array.from({ length: PAYMENTS }, (_, index) =>
    index === 0 ? CENTS - share * (PAYMENTS - 1) : share,
  );
  let left = CENTS;
  const payments = amounts.map((cents, index) => {
    left -= cents;
    return pay(money(cents), money(left), `r${index}`);
  });
  return {
    kind: 'verify',
    plan: JSON.stringify({ ...REFUND_PLAN, steps: [lookStep, { ...payStep, max: PAYMENTS }] }),
    sheets: [],
    actions: JSON.stringify([look, ...payments]),
    artifacts: amounts.map((cents, index) => {
      return { action: index + 1, kind: 'receipt', json: JSON.stringify({ amount: money(cents), id: `r${index}` }) };
    }),
    runContext: {
      approvedAt: '2026-11-01T09:00:00.000000Z',
      receivedAt: '2026-11-01T11:00:00.000000Z',
      proposedIntents: 'a'.repeat(64),
      recordedIntents: 'a'.repeat(64),
    },
  };
}

import { hash } from './examples.ts';

const TEXT_PLAN_ID = '019aa5d4-7c00-7000-8000-00000000000c';

/** The same refund as text, by tools of the catalogue. */
export const PLAN_TEXT = `plan: Refund order A1
expires: 2099-12-31T00:00:00Z
recorded: 1
given: { cap: 100.00 }
state: { refundable: 80.00 }
steps:
  look: { tool: order.get@1, times: 1, where: args.order == "A1" }
  pay:
    tool: pay.refund@2
    times: 1..2
    where: { order: args.order == "A1", positive: args.amount > 0.00 }
    after: look
    evidence:
      receipt:
        type: application/json
        reads: { id: /id, amount: /amount }
        where: { id: receipt.id == response.id, amount: receipt.amount == args.amount }
rules:
  within_cap: sum(pay, p, p.amount) <= cap
  whole: state.refundable == 0.00
`;

export const createFromText = { request: { plan_text: PLAN_TEXT } };

export const explainPlan = {
  plan_id: TEXT_PLAN_ID,
  plan_hash: hash('b'),
  state: 'draft',
  markdown: '# Plan `Refund order A1`\n\nHash to approve: …\n',
};

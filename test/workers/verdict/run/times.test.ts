import test from 'ava';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { ask } from '../../../models/ask-solver.ts';
import { APPROVED, invoices, paymentPlan, paymentRun, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';

const ROWS = invoices(40).slice(-4);
const parts = { sheets: [], tools: [TRANSFER_TEXT], tables: [tableOf(ROWS)] };
const RUN = paymentRun(ROWS);
const [APPROVE] = RUN;
const { response: _, started_at: __, ended_at: ___, ...PAY } = Object(RUN.at(-1));

/** Whether the last payment, which must begin within a day of the approval, can follow an approval of an invoice. */
function preflightPay(times: { readonly started_at: string; readonly ended_at: string }): string {
  const task: SolverTask = {
    kind: 'preflight',
    plan: JSON.stringify(paymentPlan(ROWS)),
    ...parts,
    done: JSON.stringify([{ ...APPROVE, ...times }]),
    action: JSON.stringify(PAY),
    runContext: { approvals: APPROVED },
  };
  const answer = ask(task);
  return answer.alignment.verdict;
}

test('an action that is not done yet begins after the earlier ones began, so a time that has passed is over', (t) => {
  const [inTime, last, late] = [
    '2026-11-02T23:00:00.000000Z',
    '2026-11-03T00:00:00.000000Z',
    '2026-11-03T00:00:00.000001Z',
  ];
  t.is(preflightPay({ started_at: inTime, ended_at: inTime }), 'satisfied');
  t.is(preflightPay({ started_at: last, ended_at: last }), 'satisfied');
  t.is(preflightPay({ started_at: late, ended_at: late }), 'violated');
  t.is(preflightPay({ started_at: inTime, ended_at: late }), 'satisfied', 'two acts may be done at the same time');
});

const STEPS = paymentPlan(ROWS).steps.map((step) => ({ ...step, max: 2 }));
const some = (...rule: readonly unknown[]) => ['exists', 'approve', 'a', ['exists', 'pay', 'p', rule]];
const started = (name: string) => ['started', name];

/** Rules about the times of a payment, which follows all approvals of invoices, and whether a run can have such times. */
const possible: readonly (readonly [string, readonly unknown[], boolean])[] = [
  ['begins when an earlier action begins', some('=', started('p'), started('a')), true],
  ['begins before an earlier action begins', some('<', started('p'), started('a')), false],
  ['begins before an earlier action ends', some('<', started('p'), ['ended', 'a']), false],
  ['ends when it begins', some('=', ['ended', 'p'], started('p')), true],
  ['ends before it begins', some('<', ['ended', 'p'], started('p')), false],
  ['begins when the plan is approved', some('=', started('p'), ['run', 'approved_at']), true],
  ['begins before the plan is approved', some('<', started('p'), ['run', 'approved_at']), false],
];

for (const [what, expr, isPossible] of possible) {
  test(`a plan in which a payment ${what} ${isPossible ? 'can' : 'cannot'} be obeyed`, (t) => {
    const plan = paymentPlan(ROWS, { steps: STEPS, constraints: [{ id: 'times', expr }] });
    const answer = ask({ kind: 'propose', plan: JSON.stringify(plan), ...parts });
    t.is(answer.judgement.verdict === 'satisfied', isPossible, answer.judgement.verdict);
  });
}

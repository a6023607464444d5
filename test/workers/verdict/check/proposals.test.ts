import test from 'ava';
import type { SolverTask } from '../../../../workers/verdict/tasks.ts';
import { ask } from '../../../models/ask-solver.ts';
import { APPROVED, invoices, paymentPlan, paymentRun, TRANSFER_TEXT, tableOf } from '../../../models/payment-plan.ts';

const ROWS = invoices(40).slice(-12);
const parts = {
  plan: JSON.stringify(paymentPlan(ROWS)),
  sheets: [],
  tools: [TRANSFER_TEXT],
  tables: [tableOf(ROWS)],
  runContext: { approvals: APPROVED },
};
const INTENTS = paymentRun(ROWS).map(({ response: _, started_at, ended_at, ...intent }) => intent);

function propose(actions: readonly object[], check: 'plan_alignment' | 'constraints', mode: 'prefix' | 'complete') {
  const task: SolverTask = { kind: 'check_proposal', check, mode, actions: JSON.stringify(actions), ...parts };
  const answer = ask(task);
  return answer.judgement;
}

for (const mode of ['prefix', 'complete'] as const) {
  for (const check of ['plan_alignment', 'constraints'] as const) {
    test(`a proposal whose times and responses are open passes ${check} as a ${mode} run`, (t) => {
      t.like(propose(INTENTS, check, mode), { verdict: 'satisfied', question: 'possible' });
    });
  }
}

test('a proposal that no response and no time can save is violated', (t) => {
  const late = [...INTENTS.slice(1), INTENTS[0] ?? {}];
  t.like(propose(late, 'plan_alignment', 'complete'), { verdict: 'violated' });
  t.deepEqual(propose([...INTENTS, INTENTS.at(-1) ?? {}], 'constraints', 'complete').core, ['/constraints/once']);
});

test('a beginning with a payment that can no longer be approved is violated', (t) => {
  // The payments of the large invoices come first, and `approve` must not come after them.
  const payments = INTENTS.filter(({ step_id }) => step_id === 'pay').slice(-2);
  const judgement = propose(payments, 'constraints', 'prefix');
  t.is(judgement.verdict, 'violated');
  t.true(judgement.core.includes('/constraints/large'));
});

test('the identity of recorded actions is read, and a description of the catalogue is checked', (t) => {
  const task: SolverTask = { kind: 'read_actions', actions: JSON.stringify(paymentRun(ROWS).slice(-1)), ...parts };
  t.deepEqual(ask(task), { actions: [{ identity: 'T11' }] });
  t.deepEqual(ask({ kind: 'check_tool', tool: TRANSFER_TEXT }), {});
  t.like(ask({ kind: 'check_tool', tool: '{"tool_format":2}' }), {
    fault: { code: 'MALFORMED_TOOL' },
  });
});

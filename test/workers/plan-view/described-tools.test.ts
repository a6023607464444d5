import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, look } from '../../models/look-at-plan.ts';

const plan = (responds: string) => `plan: Pay if the invoice is approved
expires: 2026-12-05T00:00:00Z
recorded: 9
supersedes: plan_1
tools:
  erp.status@1.0.0: { args: { invoice: string(64) }, responds: ${responds} }
steps:
  status: { tool: erp.status@1, times: 1, where: 'args.invoice == "N-1"' }
  pay: { tool: bank.transfer@2, times: 1, after: status, where: 'args.invoice == "N-1" && args.amount == 500.00 && args.payee == "Acme"', ${AMOUNT_EVIDENCE} }
rules:
  approved: status.all(s, s.response.approved)
`;
const body = (view: string) => view.replace(/Hash to approve.*/, '');
test('all of the view says where a tool that the plan describes has its response', (t) => {
  const [honest, not] = ['{ approved: bool at /approved }', '{ approved: bool at /overdue }'].map((one) =>
    look(plan(one), EXAMPLE_TOOLS),
  );
  t.not(body(honest?.view ?? ''), body(not?.view ?? ''));
  t.regex(not?.view ?? '', /\/overdue/);
});
test('what decides says that a tool is described by the plan itself, and not by the operator', (t) => {
  const { short } = look(plan('{ approved: bool at /overdue }'), EXAMPLE_TOOLS);
  t.regex(short, /erp\.status@1\.0\.0/);
});
test('what changed in a tool that the plan describes is seen', (t) => {
  const many = Array.from({ length: 8 }, (_, i) => `a_field_${i}: string(64) at /a/long/way/to/field/${i}`).join(', ');
  const [before, now] = ['/approved', '/overdue'].map((at) =>
    plan(`{ ${many}, approved: bool at ${at} }`).replace('responds: { a_', 'responds: { a_'),
  );
  const { short } = look(now ?? '', EXAMPLE_TOOLS, {}, before);
  t.regex(short, /\/overdue/);
});

test('what decides says how a tool that the plan describes changes a state, and that its response is believed', (t) => {
  const { short } = look(
    `plan: Pay up to a cap
expires: 2026-12-05T00:00:00Z
recorded: 20
state: { most: 5.00 }
tools:
  peek@1.0.0: { args: { q: string(8) }, responds: { cap: "decimal(2)" }, effects: { most: response.cap } }
steps:
  see: { tool: peek@1.0.0, times: 0..1, where: args.q == "cap" }
  pay: { tool: bank.transfer@2, times: 0..1, where: 'args.invoice == "N-1" && args.payee == "Acme" && args.amount <= state.most', ${AMOUNT_EVIDENCE} }
`,
    EXAMPLE_TOOLS,
  );
  t.regex(short, /then `most` becomes `response\.cap`, by `see`, as this plan says/);
  t.regex(short, /what the agent reports of `see`\*\* is believed: `cap`/);
});

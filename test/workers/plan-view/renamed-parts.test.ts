import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../models/look-at-plan.ts';

const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 9\nsupersedes: plan_1\n';
test('the conditions and the evidence of a step that has another name are compared, or listed', (t) => {
  const plan = (name: string, where: string, evidence: string) => `plan: Pay
${HEAD}steps:
  ${name}: { tool: bank.transfer@2, times: 0..3, where: ${JSON.stringify(`args.payee == "Acme" && args.invoice == "N-1" && args.amount >= 0.00 && args.amount <= 500.00${where}`)}, ${evidence} }
`;
  const before = plan(
    'pay',
    ' && ended_at - started_at <= duration("5m") && started_at >= timestamp("2026-12-01T00:00:00Z")',
    AMOUNT_EVIDENCE,
  );
  const kept = look(plan('pay', '', ID_EVIDENCE), EXAMPLE_TOOLS, {}, before).short;
  t.regex(kept, /gone.*reported start/);
  const renamed = look(plan('pays', '', ID_EVIDENCE), EXAMPLE_TOOLS, {}, before).short;
  t.regex(renamed, /reported start/);
});
test('a rule that has another name is said with its words', (t) => {
  const plan = (name: string, cap: string) => `plan: Pay
${HEAD}steps:
  pay: { tool: bank.transfer@2, times: 0..3, where: 'args.payee == "Acme" && args.invoice == "N-1" && args.amount >= 0.00 && args.amount <= 500.00', ${AMOUNT_EVIDENCE} }
rules:
  ${name}: sum(pay, p, p.amount) <= ${cap}
`;
  const { short } = look(plan('cap_2', '900.00'), EXAMPLE_TOOLS, {}, plan('cap', '600.00'));
  t.regex(short, /`cap_2` is \*\*new\*\*.*900\.00/);
  t.regex(short, /`cap` is \*\*gone\*\*.*600\.00/);
});
test('one payee more in a long list is seen as that one', (t) => {
  const plan = (payees: readonly string[]) => `plan: Pay
${HEAD}steps:
  pay: { tool: bank.transfer@2, times: 0..3, where: ${JSON.stringify(`args.payee in [${payees.map((one) => JSON.stringify(one)).join(', ')}] && args.invoice == "N-1" && args.amount >= 0.00 && args.amount <= 500.00`)}, ${AMOUNT_EVIDENCE} }
`;
  const old = ['Acme', 'Borealis', 'Cobalt', 'Delta', 'Echo', 'Foxtrot'];
  const { short } = look(plan([...old, 'Mallory']), EXAMPLE_TOOLS, {}, plan(old));
  t.regex(short, /Mallory/);
});
test('columns that are exchanged are seen', (t) => {
  const plan = (row: string) => `plan: Pay
${HEAD}tables: { approved: { key: invoice, columns: { invoice: string(64), payee: string(64), via: string(64), amount: "decimal(2, 0..)" }, rows: [${row}] } }
steps:
  pay: { tool: bank.transfer@2, times: 0..1, where: 'args.amount == approved[args.invoice].amount && args.payee == approved[args.invoice].payee', ${AMOUNT_EVIDENCE} }
`;
  const { short } = look(
    plan('{ invoice: N-1, payee: Mallory, via: Acme, amount: 5.00 }'),
    EXAMPLE_TOOLS,
    {},
    plan('{ invoice: N-1, payee: Acme, via: Mallory, amount: 5.00 }'),
  );
  t.regex(short, /from: .*`payee` `Acme`.* to: .*`payee` `Mallory`/);
});

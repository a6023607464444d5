import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../models/look-at-plan.ts';

const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 900\nsupersedes: plan_1\n';
const differences = (view: string) =>
  (view.split('## Differences from the plan before')[1] ?? '').split('\n## ')[0] ?? '';
const FIXED = 'args.amount >= 0.00 && args.amount <= 5.00 && args.payee == "Acme" && args.invoice == "N"';
const pay = (rules: string, given = '{ wait: { type: duration, value: 1h } }', more = '') => `plan: Pay
${HEAD}given: ${given}
${more}steps:
  pay: { tool: bank.transfer@2, times: 0..9, where: ${JSON.stringify(FIXED)}, ${AMOUNT_EVIDENCE} }
rules:${rules}
`;
test('a given duration that changed is written as a duration', (t) => {
  const rule = '\n  wait: pay.all(p, p.started_at - approved_at <= wait)';
  const { short } = look(pay(rule, '{ wait: { type: duration, value: 10h } }'), EXAMPLE_TOOLS, {}, pay(rule));
  t.notRegex(differences(short), /36000000000/, differences(short));
});
test('an effect that changed is in words, and what changed in it is seen', (t) => {
  const plan = (by: string) => `plan: Mail
${HEAD}state: { sent: "map(string(254), int(0..), default 0)" }
steps:
  send: { tool: mail.send_template@1, times: 0..9, where: 'args.to in ["a@x.org", "b@x.org"] && args.template == "news"', effects: { "sent[args.to]": ${JSON.stringify(`args.to == "a@x.org" || args.to == "b@x.org" || args.to == "somebody.else.who.has.a.long.address@example.org" || args.to == "and.another.one.who.has.a.long.address@example.org" ? state.sent[args.to] + ${by} : state.sent[args.to]`)} }, ${ID_EVIDENCE} }
rules:
  once: state.sent.all(e, e.value <= 1)
`;
  const { short } = look(plan('0'), EXAMPLE_TOOLS, {}, plan('1'));
  const line =
    differences(short)
      .split('\n')
      .find((one) => one.includes('the effect')) ?? '';
  const [from = '', to = ''] = line.replaceAll(/SHA-256 [0-9a-f]+/g, '').split(' — to: ');
  t.false(from.endsWith(to), line);
});
test('a row that changed by look-alike letters is seen as changed', (t) => {
  const plan = (payee: string) => `plan: Pay
${HEAD}tables: { approved: { key: invoice, columns: { invoice: string(64), payee: string(64), amount: "decimal(2, 0..)" }, rows: [{ invoice: N-1, payee: ${JSON.stringify(payee)}, amount: 5.00 }] } }
steps:
  pay: { tool: bank.transfer@2, times: 0..1, where: 'args.amount == approved[args.invoice].amount && args.payee == approved[args.invoice].payee', ${AMOUNT_EVIDENCE} }
`;
  for (const [old, now] of [
    ['Borealis', 'BoreaIis'],
    ['Modern', 'Modem'],
    ['A\u030acme', '\u00c5cme'],
    ['Acme Limited', 'Acme Li\u0307mited'],
    [`${'x'.repeat(60)}l`, `${'x'.repeat(60)}I`],
  ] as const) {
    const { short } = look(plan(now), EXAMPLE_TOOLS, {}, plan(old));
    t.regex(differences(short), /changed, from/);
  }
});
test('a new version of a tool is shown with what it does otherwise', (t) => {
  const tools = `${EXAMPLE_TOOLS}
  bank.transfer@2.2.0:
    effect: revenue_write
    args: { invoice: "string(64, trimmed)", amount: decimal(2), payee: "string(64, trimmed)" }
    responds: { id: string(64), status: "enum(booked, refused)" }
    identity: id
    amounts: args.amount in EUR
`;
  const { short } = look(
    pay(' {}').replace('bank.transfer@2', 'bank.transfer@2.2.0'),
    tools,
    {},
    pay(' {}').replace('bank.transfer@2', 'bank.transfer@2.1.0'),
  );
  t.regex(differences(short), /limit|allows at most|booked/, differences(short));
});
test('rows of a table that has another name are compared', (t) => {
  const plan = (name: string, payee: string) => `plan: Pay
${HEAD}tables: { ${name}: { key: invoice, columns: { invoice: string(64), payee: string(64), amount: "decimal(2, 0..)" }, rows: [{ invoice: N-1, payee: Acme, amount: 5.00 }, { invoice: N-2, payee: A, amount: 5.00 }, { invoice: N-3, payee: B, amount: 5.00 }, { invoice: N-4, payee: C, amount: 5.00 }, { invoice: N-5, payee: D, amount: 5.00 }, { invoice: N-6, payee: ${payee}, amount: 5.00 }] } }
steps:
  pay: { tool: bank.transfer@2, times: 0..1, where: 'args.amount == ${name}[args.invoice].amount && args.payee == ${name}[args.invoice].payee', ${AMOUNT_EVIDENCE} }
`;
  const { short } = look(plan('approved_2', 'Mallory'), EXAMPLE_TOOLS, {}, plan('approved', 'Borealis'));
  t.regex(short, /Mallory/, short);
});
test('the condition of a step that moved to another step is seen', (t) => {
  const plan = (a: string, b: string) => `plan: Pay
${HEAD}steps:
  small: { tool: bank.transfer@2, times: 0..9, where: ${JSON.stringify(`${FIXED} && ${a}`)}, ${AMOUNT_EVIDENCE} }
  large: { tool: bank.transfer@2, times: 0..9, where: ${JSON.stringify(`${FIXED} && ${b}`)}, ${AMOUNT_EVIDENCE} }
`;
  const { short } = look(
    plan('args.amount <= 2.00', 'args.amount <= 4.00'),
    EXAMPLE_TOOLS,
    {},
    plan('args.amount <= 4.00', 'args.amount <= 2.00'),
  );
  t.regex(differences(short), /`small`.*from.*`4\.00`.*to.*`2\.00`/);
});

test('another default of a map, another start of a state and the effect of a step are seen', (t) => {
  const plan = (state: string, effect: string) => `plan: Mail
${HEAD}state: ${state}
steps:
  send: { tool: mail.send_template@1, times: 0..9, where: 'args.to in ["a@x.org", "b@x.org"] && args.template == "news"', effects: { "sent[args.to]": "${effect}", total: state.total + 1 } }
rules:
  once: state.sent.all(e, e.value <= 1) && state.total <= 3
`;
  const before = plan('{ sent: "map(string(254), int, default 0)", total: 0 }', 'state.sent[args.to] + 1');
  const now = plan('{ sent: "map(string(254), int, default -100)", total: -50 }', 'state.sent[args.to] + 1');
  const { short } = look(now, EXAMPLE_TOOLS, {}, before);
  t.regex(differences(short), /-100/);
  t.regex(differences(short), /-50/);
});

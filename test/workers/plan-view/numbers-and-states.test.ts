import { readFileSync } from 'node:fs';
import test from 'ava';
import { EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../models/look-at-plan.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 900\n';
const WIRE = `tools:
  wire@1.0.0: { effect: revenue_write, args: { account: int(0..), amount: "decimal(2, 0..)" }, responds: { id: string(64) }, identity: id, amounts: args.amount in EUR }
  grant@1.0.0: { effect: write, args: { user: int(0..), role: "enum(reader, admin)" }, responds: { id: string(64) } }
`;
test('two accounts whose numbers are whole numbers are named, and have no sum', (t) => {
  const { short } = look(
    `plan: Pay
${HEAD}steps:
  pay: { tool: wire@1, times: 0..2, where: 'args.account in [66613, 77724] && args.amount <= 100.00', ${ID_EVIDENCE} }
`,
    WIRE,
  );
  t.regex(short, /66,?613/);
  t.notRegex(short, /155,448/);
});
test('accounts of a table whose numbers are whole numbers are named, and have no sum', (t) => {
  const { short } = look(
    `plan: Pay
${HEAD}tables: { approved: { key: invoice, columns: { invoice: string(9), account: int, amount: "decimal(2, 0..)" }, rows: [{ invoice: A, account: 66613, amount: 5.00 }, { invoice: B, account: 77724, amount: 6.00 }] } }
steps:
  pay: { tool: wire@1, times: 0..2, where: 'approved.exists(r, args.account == r.account && args.amount <= r.amount)', ${ID_EVIDENCE} }
`,
    WIRE,
  );
  t.regex(short, /66,?613/);
  t.notRegex(short, /155,448/);
});
test('the user of a grant is named, whose number is a whole number', (t) => {
  const { short } = look(
    `plan: Grant
${HEAD}steps:
  grant: { tool: grant@1, times: 1, where: 'args.user == 66613 && args.role == "admin"', ${ID_EVIDENCE} }
`,
    WIRE,
  );
  t.regex(short, /66,?613/);
});
test('the keys that conditions look up are listed', (t) => {
  const { short } = look(read('../../../docs/verified-execution/examples/purchase.yaml'), EXAMPLE_TOOLS);
  t.regex(short, /`offer`: `laptop-1`, `laptop-10` or `screen-5`/);
});
test('what decides says where a state begins that a rule limits', (t) => {
  const plan = (start: string) => `plan: Mail at most three times
${HEAD}state: { sent: ${start} }
steps:
  send: { tool: mail.send_template@1, times: 0..200, where: 'args.to == "a@x.org" && args.template == "news"', effects: { sent: state.sent + 1 }, ${ID_EVIDENCE} }
rules:
  three: state.sent <= 3
`;
  t.regex(look(plan('-50'), EXAMPLE_TOOLS).short, /-50/);
});
test('what decides says the default of a map that a rule limits', (t) => {
  const { short } = look(
    `plan: Mail each once
${HEAD}state: { sent: "map(string(254), int, default -50)" }
steps:
  send: { tool: mail.send_template@1, times: 0..200, where: 'args.to in ["a@x.org", "b@x.org"] && args.template == "news"', effects: { "sent[args.to]": "state.sent[args.to] + 1" }, ${ID_EVIDENCE} }
rules:
  once: state.sent.all(e, e.value <= 1)
`,
    EXAMPLE_TOOLS,
  );
  t.regex(short, /-50/);
});
test('an amount that equals what the agent reports, below a cap, is said to be so', (t) => {
  const { short } = look(
    `plan: Refund what the order cost
${HEAD}steps:
  look: { tool: order.get@1, times: 1, where: 'args.order == "A1"' }
  pay: { tool: bank.transfer@2, times: 1, after: look, where: 'args.invoice == "A1" && args.payee == "Acme" && args.amount >= 0.00 && args.amount <= 9000.00', ${ID_EVIDENCE} }
rules:
  cost: pay.all(p, look.exists(l, p.amount == l.response.total))
`,
    EXAMPLE_TOOLS,
  );
  t.regex(short, /what the agent reports of `look`/);
});
test('an act that needs an answer which the agent reports: what decides says that the agent reports it', (t) => {
  const { short } = look(
    `plan: Migrate if the database is healthy
${HEAD}steps:
  check: { tool: db.check@1, times: 1, where: 'args.database == "shop"' }
  backup: { tool: db.backup@1, times: 1, after: check, where: 'args.database == "shop"', ${ID_EVIDENCE} }
rules:
  healthy: check.all(c, c.response.healthy)
`,
    EXAMPLE_TOOLS,
  );
  t.regex(short, /the agent reports/);
});

const NOTES = `tools:
  bank.pay@1.0.0: { effect: revenue_write, args: { m: "decimal(2, 0.00..)" }, responds: { id: string(64), taken: "decimal(2, 0.00..)" }, identity: id, amounts: args.m in EUR }
  note@1.0.0: { effect: write, args: { text: string(16) }, responds: { id: string(64) } }
`;
test('what decides says where a state begins that becomes a limit through another one', (t) => {
  const { short } = look(
    `plan: P
${HEAD}state: { most: 5.00, next: 9000.00, more: 100000.00 }
steps:
  open: { tool: note@1, times: 0..2, where: args.text == "open", effects: { most: state.next, next: state.more } }
  pay: { tool: bank.pay@1, times: 0..1, where: args.m <= state.most }
rules: {}
`,
    NOTES,
  );
  t.regex(short, /- the state `next` begins as `9000\.00`/);
  t.regex(short, /- the state `more` begins as `100000\.00`/);
});
test('what decides says that a response is believed which a state takes', (t) => {
  const { short } = look(
    `plan: P
${HEAD}state: { left: { type: "decimal(2, 0.00..)", initial: 80.00 } }
steps:
  pay: { tool: bank.pay@1, times: 0..9, where: args.m <= state.left, effects: { left: state.left - response.taken } }
rules: {}
`,
    NOTES,
  );
  t.regex(short, /\*\*what the agent reports of `pay`\*\* is believed: `taken`/);
});

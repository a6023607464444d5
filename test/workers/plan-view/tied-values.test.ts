import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../models/look-at-plan.ts';

const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 900\n';
const TOOLS = `${EXAMPLE_TOOLS}
  backup.retention@1.0.0: { effect: write, args: { database: string(64), days: int(0..), before: time, purge: bool }, responds: { id: string(64) } }
  invoice.get@1.0.0: { args: { invoice: string(64) }, responds: { payee: string(64) } }
  clock.now@1.0.0: { args: { zone: string(64) }, responds: { ok: bool } }
  invoice.take@1.0.0: { effect: write, replay: effects, args: { invoice: string(64), most: decimal(2) }, responds: { left: decimal(2), payee: string(64) }, state: { open: decimal(2) }, effects: { open: state.open - args.most }, observe: { open: left } }
  invoice.note@1.0.0: { args: { payee: string(64) }, responds: { id: string(64) } }
  gift.send@1.0.0: { effect: revenue_write, args: { payee: string(64), amount: "decimal(2, 0..)", until: time, irrevocable: bool }, responds: { id: string(64) }, identity: id, amounts: args.amount in EUR }
`;
for (const [what, condition, shown] of [
  ['number', 'args.days == 0', /`days`.*`0`/],
  ['time', 'args.before == timestamp("2031-01-01T00:00:00Z")', /`before`.*2031-01-01/],
  ['truth value', 'args.purge', /`purge`.*true/],
] as const) {
  test(`what decides says the ${what} to which an argument of an act is tied that moves no money`, (t) => {
    const all = {
      number: 'args.days == 30',
      time: 'args.before == timestamp("2026-01-01T00:00:00Z")',
      'truth value': '!args.purge',
    };
    const where = Object.values({ ...all, [what]: condition }).join(' && ');
    const plan = (conditions: string) => `plan: Set the retention of backups
${HEAD}steps:
  retain: { tool: backup.retention@1, times: 1, where: ${JSON.stringify(`args.database == "shop" && ${conditions}`)}, ${ID_EVIDENCE} }
`;
    const { short } = look(plan(where), TOOLS);
    const { short: harmless } = look(plan(Object.values(all).join(' && ')), TOOLS);
    const body = (view: string) => view.replace(/Hash to approve.*/, '');
    t.not(body(short), body(harmless));
    t.regex(short, shown);
  });
}
test('what decides says the time and the truth value to which an act that moves money is tied', (t) => {
  const { short } = look(
    `plan: Send a gift
${HEAD}steps:
  send: { tool: gift.send@1, times: 1, where: 'args.payee == "Acme" && args.amount == 5.00 && args.until == timestamp("2099-01-01T00:00:00Z") && args.irrevocable', ${AMOUNT_EVIDENCE} }
`,
    TOOLS,
  );
  t.regex(short, /2099-01-01/);
  t.regex(short, /`irrevocable`.*true/);
});

const looked = (
  evidence: string,
  tool = 'invoice.get@1',
  more = '',
  rule = 'pay.all(p, look.exists(l, p.payee == l.response.payee))',
  where = 'args.invoice == "N-1"',
) => `plan: Pay the invoice to who sent it
${HEAD}${tool.startsWith('invoice.take') ? 'state: { open: 500.00 }\n' : ''}steps:
  look: { tool: ${tool}, times: 1, where: ${JSON.stringify(where)}${evidence} }
${more}  pay: { tool: bank.transfer@2, times: 1, after: look, where: 'args.invoice == "N-1" && args.amount == 500.00', ${AMOUNT_EVIDENCE} }
rules:
  payee: ${JSON.stringify(rule)}
`;
const REPORTED = /the agent reports of `look`|the agent chooses\*\* .*`payee`|ARGUMENT_FREE/;
test('a payee that the agent reports is said, though evidence of it may be given', (t) => {
  const optional =
    ', evidence: { letter: { type: application/json, times: 0..1, reads: { payee: string(64) at /payee }, where: letter.payee == response.payee } }';
  t.regex(look(looked(''), TOOLS).short, REPORTED);
  t.regex(look(looked(optional), TOOLS).short, REPORTED);
});
test('a payee that the agent reports is said, though evidence that says nothing of it is asked for', (t) => {
  const unchecked = ', evidence: { letter: { type: text/plain, reads: {} } }';
  t.regex(look(looked(unchecked), TOOLS).short, REPORTED);
  const other =
    ', evidence: { letter: { type: application/json, reads: { n: string(64) at /n }, where: letter.n == args.invoice } }';
  t.regex(look(looked(other), TOOLS).short, REPORTED);
});
test('a payee in a response of which the replay computes another field is what the agent reports', (t) => {
  const { short } = look(
    looked(
      `, ${'evidence: { r: { type: application/json, reads: { left: /left }, where: r.left == response.left } }'}`,
      'invoice.take@1',
      '',
      undefined,
      'args.invoice == "N-1" && args.most == 500.00',
    ),
    TOOLS,
  );
  t.regex(short, REPORTED);
});
test('a payee that goes through a step that only reads is what the agent reports', (t) => {
  const { short } = look(
    looked(
      '',
      'invoice.get@1',
      '  note: { tool: invoice.note@1, times: 1, after: look }\n',
      'note.all(n, look.exists(l, n.payee == l.response.payee)) && pay.all(p, note.exists(n, p.payee == n.args.payee))',
    ),
    TOOLS,
  );
  t.regex(short, REPORTED);
});
test('a step that only reads, and for which another one waits, is named with its tool', (t) => {
  const { short } = look(
    `plan: Pay after a second person has confirmed
${HEAD}steps:
  second_person_confirms: { tool: clock.now@1, times: 1, where: 'args.zone == "UTC"' }
  pay: { tool: bank.transfer@2, times: 1, after: second_person_confirms, where: 'args.invoice == "N-1" && args.amount == 500.00 && args.payee == "Acme"', ${AMOUNT_EVIDENCE} }
rules:
  confirmed: second_person_confirms.all(s, s.response.ok)
`,
    TOOLS,
  );
  t.regex(short, /`second_person_confirms`.*`clock\.now@1\.0\.0`/);
});
test('what decides says that acts may overlap although they share a state', (t) => {
  const plan = (overlaps: string) => `plan: Refund one order in parts
${HEAD}state: { refundable: 80.00 }
steps:
  refund: { tool: pay.refund@2, times: 1..2,${overlaps} where: 'args.order == "A1" && args.amount > 0.00 && args.amount <= 80.00', ${AMOUNT_EVIDENCE} }
rules:
  left: state.refundable >= 0.00
`;
  const { short } = look(plan(' overlaps: [refund],'), TOOLS);
  t.regex(short, /at the same time/);
});
test('what decides says that a state which a rule limits is changed by the plan alone', (t) => {
  const plan = (effect: string) => `plan: Mail each subscriber once
${HEAD}state: { sent: "map(string(254), int(0..), default 0)" }
steps:
  send: { tool: mail.send_template@1, times: 0..200, where: 'args.to in ["a@x.org", "b@x.org"] && args.template == "news"', effects: { "sent[args.to]": ${JSON.stringify(effect)} }, ${ID_EVIDENCE} }
rules:
  once: state.sent.all(e, e.value <= 1)
`;
  const body = (view: string) => view.replace(/Hash to approve.*/, '');
  const [counts, not] = ['state.sent[args.to] + 1', 'state.sent[args.to] * 1'].map((one) =>
    body(look(plan(one), TOOLS).short),
  );
  t.not(counts, not);
});

test('what decides says what a time is compared with that the agent chooses', (t) => {
  const { short } = look(
    `plan: Set the retention of backups
${HEAD}steps:
  retain: { tool: backup.retention@1, times: 1, where: 'args.database == "shop" && args.days == 30 && !args.purge && args.before <= timestamp("2026-06-01T00:00:00Z") && timestamp("2026-01-01T00:00:00Z") < args.before', ${ID_EVIDENCE} }
`,
    TOOLS,
  );
  t.regex(short, /the agent chooses\*\* `before` \(at most .*2026-06-01.* and above .*2026-01-01/);
});

test('a row that a state chooses as well is not said to be chosen by the argument alone', (t) => {
  const payees = ['Acme', 'Mallory'].map((payee, n) => `{ a: I1, b: ${n}, payee: ${payee} }`).join(', ');
  const { short } = look(
    `plan: P
${HEAD}tables: { t: { key: [a, b], columns: { a: string(64), b: int, payee: string(64) }, rows: [${payees}] } }
state: { n: 0 }
steps:
  tick: { tool: clock.now@1, times: 0..9, where: 'args.zone == "x"', effects: { n: state.n + 1 } }
  pay: { tool: bank.transfer@2, times: 0..1, where: 'args.payee == t[[args.invoice, state.n]].payee && args.amount <= 5.00 && args.invoice == "I1"', ${AMOUNT_EVIDENCE} }
`,
    TOOLS,
  );
  t.regex(short, /`payee`: `Acme` or `Mallory`/);
});

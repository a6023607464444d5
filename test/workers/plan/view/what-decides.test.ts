import { readFileSync } from 'node:fs';
import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../../models/look-at-plan.ts';

const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 900\n';
const TOOLS = `${EXAMPLE_TOOLS}
  invoice.get@1.0.0: { args: { invoice: string(64) }, responds: { payee: string(64) } }
  invoice.note@1.0.0: { args: { payee: string(64) }, responds: { id: string(64) } }
  clock.now@1.0.0: { args: { zone: string(64) }, responds: { ok: bool } }
  web.fetch@1.0.0: { args: { url: string(1024) }, responds: { status: int } }
  ticket.get@1.0.0: { args: { ticket: string(64) }, responds: { url: string(1024) } }
  note@1.0.0: { effect: write, args: { text: string(16) }, responds: { id: string(64) } }
`;

/** A plan that pays what the agent reports of the step \`look\`. */
const reported = (rule: string, more = '') => `plan: Pay the invoice to who sent it
${HEAD}steps:
  look: { tool: invoice.get@1, times: 1, where: 'args.invoice == "N-1"' }
${more}  pay: { tool: bank.transfer@2, times: 1, after: look, where: 'args.invoice == "N-1" && args.amount == 500.00', ${AMOUNT_EVIDENCE} }
rules:
  payee: ${JSON.stringify(rule)}
`;

test('a payee that is what the agent says that a tool answered is chosen by the agent', (t) => {
  const { short, verdict } = look(reported('pay.all(p, look.exists(l, p.payee == l.response.payee))'), TOOLS);
  t.is(verdict, 'satisfied');
  // No tool confirms the response of `look`: the agent writes it.
  t.regex(short, /\*\*what the agent reports of `look`\*\* is believed: `payee`/);
});

test('a payee that goes through a step that only reads is what the agent reports', (t) => {
  const { short } = look(
    reported(
      'note.all(n, look.exists(l, n.payee == l.response.payee)) && pay.all(p, note.exists(n, p.payee == n.args.payee))',
      '  note: { tool: invoice.note@1, times: 1, after: look }\n',
    ),
    TOOLS,
  );
  t.regex(short, /the agent reports of `look`|the agent chooses\*\* .*`payee`|ARGUMENT_FREE/);
});

/** A request carries data away. */
test('a step that only reads is named, if the agent chooses its arguments or reports what they are', (t) => {
  const fetching = (look: string, rules: string) => `plan: Answer one ticket
${HEAD}steps:
  look: { tool: ${look} }
  fetch: { tool: web.fetch@1, times: 0..400 }
  send: { tool: mail.send_template@1, times: 0..1, where: 'args.to == "a@x.org" && args.template == "answer"', ${ID_EVIDENCE} }
rules: { ${rules} }
`;
  const ticket = `ticket.get@1, times: 0..400, where: 'args.ticket == "T-1"'`;
  for (const rules of ['', 'of_ticket: "fetch.all(f, look.exists(l, f.url == l.response.url))"']) {
    t.regex(look(fetching(ticket, rules), TOOLS).short, /`fetch`.*web\.fetch@1\.0\.0/);
  }
});

test('the recipe of percentages gives no warning of an unused value', (t) => {
  const recipes = readFileSync(new URL('../../../../docs/verified-execution/recipes.md', import.meta.url), 'utf8');
  const recipe = recipes.split('## Percentages')[1]?.split('```yaml\n')[1]?.split('```')[0] ?? '';
  t.false(look(recipe, EXAMPLE_TOOLS).lint.includes('UNUSED'));
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

test('where a state begins is said if it becomes a limit, also through another one or as the default of a map', (t) => {
  const { short } = look(
    `plan: P
${HEAD}state: { most: 5.00, next: 9000.00, more: 100000.00, sent: "map(string(16), int, default -50)" }
steps:
  open: { tool: note@1, times: 0..2, where: args.text == "open", effects: { most: state.next, next: state.more, "sent[args.text]": "state.sent[args.text] + 1" } }
  pay: { tool: bank.transfer@2, times: 0..1, where: 'args.amount <= state.most && args.invoice == "N" && args.payee == "A"' }
rules: { once: "open.all(o, state.sent[o.text] <= 1)" }
`,
    TOOLS,
  );
  t.regex(short, /- the state `next` begins as `9000\.00`/);
  t.regex(short, /- the state `more` begins as `100000\.00`/);
  t.regex(short, /- the state `sent` begins as `-50`/);
});

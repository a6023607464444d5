import test from 'ava';
import { withoutDetails } from '../../../../workers/plan/view/view-plan.ts';
import { planOf, readExample, toolsIn } from '../../../models/plan-texts.ts';
import { viewOf } from '../../../models/view.ts';

const TOOLS = toolsIn(`${readExample('tools.yaml')}
  invoice.get@1.0.0: { args: { invoice: string(64) }, responds: { payee: string(64) } }
  invoice.note@1.0.0: { args: { payee: string(64) }, responds: { id: string(64) } }
  clock.now@1.0.0: { args: { zone: string(64) }, responds: { ok: bool } }
  web.fetch@1.0.0: { args: { url: string(1024) }, responds: { status: int } }
  note@1.0.0: { effect: write, args: { text: string(16) }, responds: { id: string(64) } }
`);

/** What is read before the details, of a plan of which this is the text but for its head. */
const short = (text: string) =>
  withoutDetails(
    viewOf(planOf(`plan: P\nexpires: 2026-12-05T00:00:00Z\nrecorded: 900\n${text}`, TOOLS), { tools: TOOLS }),
  );

const LOOK = 'look: { tool: invoice.get@1, times: 0..400, where: \'args.invoice == "N-1"\' }';
const PAY = 'pay: { tool: bank.transfer@2, times: 1, where: \'args.invoice == "N-1" && args.amount == 500.00\' }';
const PAYEES = ['Acme', 'Mallory'].map((payee, n) => `{ a: I1, b: ${n}, payee: ${payee} }`).join(', ');
const BY_STATE = 'args.payee == t[[args.invoice, state.n]].payee && args.amount <= 5.00 && args.invoice == "I1"';

/** Plans, and what their approver must read before the details. */
const CASES: readonly (readonly [what: string, text: string, ...said: readonly RegExp[]])[] = [
  [
    'a payee that is what the agent says that a tool answered',
    `steps:\n  ${LOOK}\n  ${PAY}\nrules: { r: "pay.all(p, look.exists(l, p.payee == l.response.payee))" }\n`,
    /\*\*what the agent reports of `look`\*\* is believed: `payee`/,
  ],
  [
    'a payee that goes through a step that only reads',
    `steps:\n  ${LOOK}\n  note: { tool: invoice.note@1, times: 1 }\n  ${PAY}
rules:
  note: note.all(n, look.exists(l, n.payee == l.response.payee))
  pay: pay.all(p, note.exists(n, p.payee == n.args.payee))
`,
    /\*\*what the agent reports of `look`\*\* is believed: `payee`/,
  ],
  // A request carries data away.
  [
    'a step that only reads, with what the agent chooses',
    `steps:\n  fetch: { tool: web.fetch@1, times: 0..400 }\n`,
    /`fetch`.*web\.fetch@1\.0\.0`: \*\*the agent chooses\*\* `url`/,
  ],
  [
    'a step that only reads, with what the agent reports',
    `steps:\n  ${LOOK}\n  fetch: { tool: web.fetch@1, times: 0..400 }
rules: { r: "fetch.all(f, look.exists(l, f.url == l.response.payee))" }
`,
    /`fetch`.*web\.fetch@1\.0\.0/,
    /\*\*what the agent reports of `look`\*\* is believed: `payee`/,
  ],
  [
    'a row that a state chooses as well as the argument',
    `tables: { t: { key: [a, b], columns: { a: string(64), b: int, payee: string(64) }, rows: [${PAYEES}] } }
state: { n: 0 }
steps:
  tick: { tool: clock.now@1, times: 0..9, where: 'args.zone == "x"', effects: { n: state.n + 1 } }
  pay: { tool: bank.transfer@2, times: 0..1, where: '${BY_STATE}' }
`,
    /`payee`: `Acme` or `Mallory`/,
  ],
  [
    'where a state begins, if it becomes a limit, also through another one or as the default of a map',
    `state: { most: 5.00, next: 9000.00, more: 100000.00, sent: "map(string(16), int, default -50)" }
steps:
  open: { tool: note@1, times: 0..2, effects: { most: state.next, next: state.more, "sent[args.text]": "state.sent[args.text] + 1" } }
  pay: { tool: bank.transfer@2, times: 0..1, where: args.amount <= state.most }
rules: { once: "open.all(o, state.sent[o.text] <= 1)" }
`,
    /- the state `next` begins as `9000\.00`/,
    /- the state `more` begins as `100000\.00`/,
    /- the state `sent` begins as `-50`/,
  ],
];

for (const [what, text, ...said] of CASES) {
  test(`before the details, the view says ${what}`, (t) => {
    for (const each of said) t.regex(short(text), each);
  });
}

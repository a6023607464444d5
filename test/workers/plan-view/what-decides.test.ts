import { readFileSync } from 'node:fs';
import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../models/look-at-plan.ts';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 900\n';
const FIXED = 'args.amount >= 0.00 && args.amount <= 5.00 && args.payee == "Acme" && args.invoice == "N"';

const DROPS = `plan: Check the staging database after a backup
${HEAD}steps:
  backup: { tool: db.backup@1, times: 1, where: 'args.database == "staging"', ${ID_EVIDENCE} }
  check: { tool: db.drop@1, times: 1, after: backup, where: 'args.database == "production"', ${ID_EVIDENCE} }
`;
const DROP = `${EXAMPLE_TOOLS}
  db.drop@1.0.0: { effect: write, args: { database: string(64) }, responds: { id: string(64) } }
  invoice.get@1.0.0: { args: { invoice: string(64) }, responds: { payee: string(64) } }
  web.fetch@1.0.0: { args: { url: string(1024) }, responds: { status: int } }
`;

test('what decides names the tool of each step that acts: the author chooses the names of steps', (t) => {
  const { short } = look(DROPS, DROP);
  t.true(short.includes('`db.drop@1.0.0`'), short);
});

test('what decides says on what a step acts that moves no money, as it does for one that moves money', (t) => {
  const { short } = look(DROPS, DROP);
  t.true(short.includes('`production`'), short);
});

test('a payee that is what the agent says that a tool answered is chosen by the agent', (t) => {
  const { short, verdict } = look(
    `plan: Pay the invoice to who sent it
${HEAD}steps:
  look: { tool: invoice.get@1, times: 1, where: 'args.invoice == "N-1"' }
  pay: { tool: bank.transfer@2, times: 1, after: look, where: 'args.invoice == "N-1" && args.amount == 500.00', ${AMOUNT_EVIDENCE} }
rules:
  payee: pay.all(p, look.exists(l, p.payee == l.response.payee))
`,
    DROP,
  );
  t.is(verdict, 'satisfied');
  // No tool confirms the response of `look`: the agent writes it.
  t.regex(short, /\*\*what the agent reports of `look`\*\* is believed: `payee`/);
});

test('what decides names a step that only reads, if the agent chooses its arguments: a request carries data away', (t) => {
  const { short } = look(
    `plan: Answer one ticket
${HEAD}steps:
  look: { tool: web.fetch@1, times: 0..800 }
  send: { tool: mail.send_template@1, times: 0..1, where: 'args.to == "a@x.org" && args.template == "answer"', ${ID_EVIDENCE} }
`,
    DROP,
  );
  t.true(short.includes('`look`'), short);
});

const pays = (where: string, rules = ' {}', given = '{ f: 3 }', head = '') => `plan: Pay
${HEAD}${head}given: ${given}
steps:
  pay: { tool: bank.transfer@2, times: 0..9, where: ${JSON.stringify(where)}, ${AMOUNT_EVIDENCE} }
rules:${rules}
`;

test('a given factor is used', (t) => {
  const { lint } = look(pays(`${FIXED} && args.amount * f <= 9.00`), EXAMPLE_TOOLS);
  t.deepEqual(lint, []);
});

test('the recipe of percentages gives no warning of an unused value', (t) => {
  const recipe =
    read('../../../docs/verified-execution/recipes.md')
      .split('## Percentages')[1]
      ?.split('```yaml\n')[1]
      ?.split('```')[0] ?? '';
  const { lint } = look(recipe, EXAMPLE_TOOLS);
  t.false(lint.includes('UNUSED'));
});

test('a plan that is compared with another one, and does not supersede it, does not replace it', (t) => {
  // Both stay approved: the money of both can move.
  const { short } = look(pays(FIXED), EXAMPLE_TOOLS, {}, pays(FIXED.replace('5.00', '4.00')));
  t.notRegex(short, /It replaces the plan/);
});

const TABLE = (key: string, rows: string) => `plan: Pay
${HEAD}tables: { approved: { key: ${key}, columns: { invoice: string(64), line: int, amount: "decimal(2, 0..)", payee: string(64) }, rows: [${rows}] } }
steps:
  pay: { tool: bank.transfer@2, times: 0..9, where: 'approved.exists(r, r.invoice == args.invoice && args.amount == r.amount && args.payee == r.payee)', ${AMOUNT_EVIDENCE} }
`;
test('rows that are gone are named although the key of the table has changed', (t) => {
  const row = (line: number, payee: string) => `{ invoice: N-1, line: ${line}, amount: 5.00, payee: ${payee} }`;
  const before = TABLE('[invoice, line]', [row(1, 'Acme'), row(2, 'Bo'), row(3, 'Cy')].join(', '));
  const { short } = look(TABLE('invoice', row(1, 'Acme')), EXAMPLE_TOOLS, {}, before);
  // It says: 1 row differs, "changed, from line 3 Cy to line 1 Acme". The row of Bo is not mentioned.
  t.regex(short, /`Bo`/);
});

const WIRE = `tools:
  wire@1.0.0: { effect: revenue_write, args: { account: int(0..), amount: "decimal(2, 0..)", abroad: bool }, responds: { id: string(64) }, identity: id, amounts: args.amount in EUR }
`;
const WIRES = `plan: Pay
${HEAD}steps:
  pay: { tool: wire@1, times: 0..2, where: 'args.account == 66613 && args.amount <= 100.00 && args.abroad', ${AMOUNT_EVIDENCE} }
`;
test('an account whose number is a whole number is named, and has no sum', (t) => {
  const { short } = look(WIRES, WIRE);
  t.notRegex(short, /133,226/);
  t.regex(short, /`account`: `?66,?613/);
});
test('an argument that must be true is not chosen by the agent', (t) => {
  const { short } = look(WIRES, WIRE);
  t.notRegex(short, /the agent chooses\*\* .*`abroad`/);
});

test('texts that are written in the condition are not "in a table"', (t) => {
  const { short } = look(pays(FIXED.replace('== "Acme"', 'in ["A", "B", "C", "D", "E", "Mallory"]')), EXAMPLE_TOOLS);
  t.notRegex(short, /`payee`: one of 6 in a table/);
});

const APPROVAL_NEEDED = (most: string) => `plan: Pay
expires: 2026-12-05T00:00:00Z
recorded: 9
tables: { approved: { key: invoice, columns: { invoice: string(64), amount: "decimal(2, 0..)", payee: string(64) }, rows: [{ invoice: N-1, amount: ${most}, payee: Acme }] } }
steps:
  pay: { tool: bank.transfer@2, times: 0..2, where: 'args.amount == approved[args.invoice].amount && args.payee == approved[args.invoice].payee', ${AMOUNT_EVIDENCE} }
rules:
  large: pay.all(p, p.amount <= 1000.00 || approved_by("finance"))
`;

test('lint names an approval that no action of the plan needs', (t) => {
  t.true(look(APPROVAL_NEEDED('900.00'), EXAMPLE_TOOLS).lint.includes('RULE_ALWAYS_TRUE'));
  t.false(look(APPROVAL_NEEDED('1000.01'), EXAMPLE_TOOLS).lint.includes('RULE_ALWAYS_TRUE'));
});

test('each of many rules is asked whether it is always true', (t) => {
  const rules = Array.from({ length: 60 }, (_, index) => `  r${index}: count(pay) <= ${index === 59 ? 2 : 1}`);
  const plan = `${APPROVAL_NEEDED('1000.01').replace(/rules:[\s\S]*/, 'rules:\n')}${rules.join('\n')}\n`;
  t.is(look(plan, EXAMPLE_TOOLS).lint.filter((code) => code === 'RULE_ALWAYS_TRUE').length, 1);
});

test('an approver is told that evidence does not have the amount, or nothing of the act', (t) => {
  const receipt = 'where: r.id == response.id && r.amount == args.amount';
  const paying = (where: string) => APPROVAL_NEEDED('1000.01').replace(receipt, where);
  t.false(look(APPROVAL_NEEDED('1000.01'), EXAMPLE_TOOLS).lint.some((code) => code.includes('EVIDENCE')));
  t.true(
    look(paying('where: r.id == response.id && r.amount >= 0.00'), EXAMPLE_TOOLS).short.includes(
      '`EVIDENCE_WITHOUT_AMOUNT` at `/steps/0/evidence`: `no evidence of pay equals args.amount`',
    ),
  );
  const weak = DROPS.replace(/where: r\.id == response\.id/, 'where: r.id != ""');
  t.true(look(weak, DROP).short.includes('`EVIDENCE_NOT_BOUND` at `/steps/0/evidence`'));
  t.false(look(DROPS, DROP).short.includes('EVIDENCE_NOT_BOUND'));
});

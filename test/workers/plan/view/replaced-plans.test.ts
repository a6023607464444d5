import test from 'ava';
import { AMOUNT_EVIDENCE, EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../../models/look-at-plan.ts';

const HEAD = 'expires: 2026-12-05T00:00:00Z\nrecorded: 900\nsupersedes: plan_1\n';
const BY_ROW =
  'args.amount == approved[args.invoice].amount && args.payee == approved[args.invoice].payee && args.amount >= 0.00';
/** A plan that pays what its table says, or under another condition. */
const paying = (table: string, where = BY_ROW, more = '') => `plan: Pay
${HEAD}${table === '' ? '' : `tables: { approved: { ${table} } }\n`}${more}steps:
  pay: { tool: bank.transfer@2, times: 0..3, where: ${JSON.stringify(where)}, ${AMOUNT_EVIDENCE} }
`;
const COLUMNS = 'columns: { invoice: string(64), line: int, amount: "decimal(2, 0..)", payee: string(64) }';
const row = (payee: string, line = 1) =>
  `{ invoice: N-1, line: ${line}, amount: 5.00, payee: ${JSON.stringify(payee)} }`;

/** What an approver reads of the differences between two plans. */
const differences = (now: string, before: string, files: Readonly<Record<string, string>> = {}) => {
  const { short } = look(now, EXAMPLE_TOOLS, files, before);
  return (short.split('## Differences from the plan before')[1] ?? '').split('\n## ')[0] ?? '';
};

test('an effect that changed is in words, and what changed in it is seen', (t) => {
  const plan = (by: string) => `plan: Mail
${HEAD}state: { sent: "map(string(254), int(0..), default 0)" }
steps:
  send: { tool: mail.send_template@1, times: 0..9, where: 'args.to in ["a@x.org", "b@x.org"] && args.template == "news"', effects: { "sent[args.to]": ${JSON.stringify(`args.to == "a@x.org" || args.to == "b@x.org" || args.to == "somebody.else.who.has.a.long.address@example.org" || args.to == "and.another.one.who.has.a.long.address@example.org" ? state.sent[args.to] + ${by} : state.sent[args.to]`)} }, ${ID_EVIDENCE} }
rules:
  once: send.all(s, state.sent[s.to] <= 1)
`;
  const lines = differences(plan('0'), plan('1')).split('\n');
  const line = lines.find((one) => one.includes('the effect')) ?? '';
  const [from = '', to = ''] = line.replaceAll(/SHA-256 [0-9a-f]+/g, '').split(' — to: ');
  t.false(from.endsWith(to), line);
});

test('a row that changed by look-alike letters is seen as changed', (t) => {
  const plan = (payee: string) => paying(`key: invoice, ${COLUMNS}, rows: [${row(payee)}]`);
  for (const [old, now] of [
    ['Borealis', 'BoreaIis'],
    ['Modern', 'Modem'],
    ['A\u030acme', '\u00c5cme'],
    ['Acme Limited', 'Acme Li\u0307mited'],
    [`${'x'.repeat(60)}l`, `${'x'.repeat(60)}I`],
  ] as const) {
    t.regex(differences(plan(now), plan(old)), /changed, from/);
  }
});

test('rows that are gone are named although the key of the table has changed', (t) => {
  const before = `key: [invoice, line], ${COLUMNS}, rows: [${row('Acme')}, ${row('Bo', 2)}, ${row('Cy', 3)}]`;
  const where = 'approved.exists(r, r.invoice == args.invoice && args.amount == r.amount && args.payee == r.payee)';
  const now = paying(`key: invoice, ${COLUMNS}, rows: [${row('Acme')}]`, where);
  t.regex(differences(now, paying(before, where)), /`Bo`/);
});

test('one payee more in a long list is seen as that one', (t) => {
  const plan = (payees: readonly string[]) =>
    paying('', `args.payee in ${JSON.stringify(payees)} && args.invoice == "N-1" && args.amount <= 500.00`);
  const old = ['Acme', 'Borealis', 'Cobalt', 'Delta', 'Echo', 'Foxtrot'];
  t.regex(differences(plan([...old, 'Mallory']), plan(old)), /Mallory/);
});

test('what changed in a tool that the plan describes is seen', (t) => {
  const many = Array.from({ length: 8 }, (_, i) => `a_field_${i}: string(64) at /a/long/way/to/field/${i}`).join(', ');
  const plan = (at: string) =>
    `${paying('', 'args.payee == "A"', `tools: { erp.status@1.0.0: { responds: { ${many}, ok: bool at ${at} } } }\n`)}  status: { tool: erp.status@1, times: 1 }\n`;
  t.regex(differences(plan('/overdue'), plan('/approved')), /\/overdue/);
});

test('of many changed rows, the rarest kinds of changes come first, and the others are counted by what differs', (t) => {
  const rows = (note: string, amount: string, payee: string) =>
    Array.from({ length: 1_100 }, (_, index) =>
      JSON.stringify({
        invoice: `N-${index}`,
        ...(index === 1_099 ? { amount, payee } : { amount: '1.00', payee: 'Acme' }),
        note,
      }),
    ).join('\n');
  const plan = (file: string) =>
    paying(
      `key: invoice, columns: { invoice: string(64), amount: "decimal(2, 0..)", payee: string(64), note: string(64) }, file: ${file}`,
    );
  const files = { 'a.jsonl': rows('old', '1.00', 'Acme'), 'b.jsonl': rows('new', '9000.00', 'Mallory') };
  const said = differences(plan('b.jsonl'), plan('a.jsonl'), files);
  t.regex(said, /rows differ:\n {2}- changed, from: .* — to: .*`9000\.00`, `payee` `Mallory`/);
  t.regex(said, /and 100 rows not shown\*\*, that differ in `note`/);
});

import test from 'ava';
import { EXAMPLE_TOOLS, ID_EVIDENCE, look } from '../../models/look-at-plan.ts';

const CATALOGUE = `${EXAMPLE_TOOLS}
  db.delete@1.0.0: { effect: write, args: { database: string(64) }, responds: { id: string(64) } }
`;
const PLAN = `plan: Delete old rows of the shop after a backup
expires: 2026-12-05T00:00:00Z
recorded: 9
steps:
  backup: { tool: db.backup@1, times: 1, where: 'args.database == "shop"', ${ID_EVIDENCE} }
  clean: { tool: db.delete@1, times: 1, after: backup, where: 'args.database == "shop"', ${ID_EVIDENCE} }
`;
const decides = (text: string) => look(text, CATALOGUE).short.replace(/Hash to approve.*/, '');

/** Plans that do something else, of which an approver reads the same before "Details". */
const CHANGES: readonly (readonly [what: string, from: string | RegExp, to: string])[] = [
  ['the order is gone: the backup may come last', ' after: backup,', ''],
  ['another database is deleted', /(clean: .*)"shop"/, '$1"production"'],
  ['another database is backed up', /(backup: .*)"shop"/, '$1"empty"'],
  ['the step that is called a backup deletes', /db\.backup@1/, 'db.delete@1'],
];

for (const [what, from, to] of CHANGES) {
  test(`what decides is not the same if ${what}`, (t) => {
    const other = PLAN.replace(from, to);
    t.not(other, PLAN);
    t.not(decides(other), decides(PLAN));
  });
}

test('a payee that is fixed as a state that nothing changes is named', (t) => {
  const { short } = look(
    `plan: Pay
expires: 2026-12-05T00:00:00Z
recorded: 9
state: { to: { type: "string(64)", initial: Mallory } }
steps:
  pay: { tool: bank.transfer@2, times: 0..2, where: 'args.payee == state.to && args.invoice == "N" && args.amount == 5.00', ${ID_EVIDENCE} }
`,
    CATALOGUE,
  );
  t.regex(short, /Mallory/);
});

test('of many changed rows, the rarest kinds of changes come first, and the others are counted by what differs', (t) => {
  const rows = (note: string, amount: string, payee: string) =>
    Array.from({ length: 1_100 }, (_, index) => {
      const last = index === 1_099;
      return JSON.stringify({
        invoice: `N-${index}`,
        amount: last ? amount : '1.00',
        payee: last ? payee : 'Acme',
        note,
      });
    }).join('\n');
  const plan = (file: string) => `plan: Pay
expires: 2026-12-05T00:00:00Z
tables: { approved: { key: invoice, columns: { invoice: string(64), amount: "decimal(2, 0..)", payee: string(64), note: string(64) }, file: ${file} } }
steps:
  pay: { tool: bank.transfer@2, times: 0..2, where: 'args.amount == approved[args.invoice].amount && args.payee == approved[args.invoice].payee', ${ID_EVIDENCE} }
`;
  const files = { 'a.jsonl': rows('old', '1.00', 'Acme'), 'b.jsonl': rows('new', '9000.00', 'Mallory') };
  const { short } = look(plan('b.jsonl'), CATALOGUE, files, plan('a.jsonl'));
  t.regex(short, /rows differ:\n {2}- changed, from: .* — to: .*`9000\.00`, `payee` `Mallory`/);
  t.regex(short, /and 100 rows not shown\*\*, that differ in `note`/);
});

import { readFileSync } from 'node:fs';
import test from 'ava';
import { look } from '../../models/look-at-plan.ts';

const CATALOGUE = `${readFileSync(new URL('../../../docs/verified-execution/examples/tools.yaml', import.meta.url), 'utf8')}
  db.delete@1.0.0: { effect: write, args: { database: string(64) }, responds: { id: string(64) } }
`;
const RECEIPT = 'evidence: { r: { type: application/json, reads: { id: /id }, where: r.id == response.id } }';
const PLAN = `plan: Delete old rows of the shop after a backup
expires: 2026-12-05T00:00:00Z
recorded: 9
steps:
  backup: { tool: db.backup@1, times: 1, where: 'args.database == "shop"', ${RECEIPT} }
  clean: { tool: db.delete@1, times: 1, after: backup, where: 'args.database == "shop"', ${RECEIPT} }
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
  pay: { tool: bank.transfer@2, times: 0..2, where: 'args.payee == state.to && args.invoice == "N" && args.amount == 5.00', ${RECEIPT} }
`,
    CATALOGUE,
  );
  t.regex(short, /Mallory/);
});

import test from 'ava';
import { Type } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { createJsonReader } from '../../../../scripts/launch/parse/json-reader.ts';
import { listActs } from '../../../../services/store/operator-acts.ts';
import { createWallet } from '../../../kit/chain.ts';
import { createTestDatabase } from '../../../kit/test-database.ts';
import { openRetainedCalls } from '../../../services/backoffice/retention/retained-calls.ts';
import { attempt, details, leased } from '../../../services/payments/claims/claims-fixture.ts';
import { runCommand } from './run-command.ts';

const stores = await createTestDatabase();
const { database } = stores;
const { claims, retainCall, close } = openRetainedCalls(stores);
test.after.always(async () => {
  await close();
  await stores.stop();
});

const run = (...args: readonly string[]) =>
  runCommand({ DATABASE_URL: stores.url, TOLLHOUSE_OPERATOR: 'ada' }, ['obligations', ...args]);
const readListed = createJsonReader(
  Type.Array(
    Type.Object({ record_id: Type.String(), attempts: Type.Number(), due_at: Type.String(), amount: Type.String() }),
  ),
  'the obligations',
);
const retain = async () => (await retainCall([{ id: 'one', secret: Buffer.alloc(32, 1) }])).recordId;

test('payments whose outcome is still asked for are listed, the next one first, and one can be asked for now', async (t) => {
  const [first, second, settled, executing] = [await retain(), await retain(), await retain(), uuidv7()];
  const claim = await claims.findById(settled);
  if (claim === undefined) throw new Error('there is no claim');
  await claims.startSettling(claim, attempt());
  await claims.finish(claim, undefined, { state: 'settled', paymentResponseJson: '{}' });
  await claims.open(details(createWallet().address, { claimId: executing }), leased());
  const postpone = (recordId: string, tries: number, hours: number) =>
    database
      .updateTable('ledger.payment_claim')
      .set({ tries, due_at: new Date(Date.now() + hours * 3_600_000) })
      .where('claim_id', '=', recordId)
      .execute();
  await postpone(second, 2, 1);
  await postpone(first, 3, 2);

  const listed = readListed((await run('list', '--json')).output);
  t.like(listed, [
    { record_id: second, attempts: 2, amount: '3000' },
    { record_id: first, attempts: 3, amount: '3000' },
  ]);
  t.is(listed.length, 2);
  t.is((await run('list', '--limit', '1')).output.split('\n').length, 2);

  t.is((await run('retry', first)).output, `${first} is due now`);
  const [due] = readListed((await run('list', '--json')).output);
  t.like(due, { record_id: first, attempts: 3 });
  t.true(Date.parse(String(due?.due_at)) <= Date.now());
  t.like(await listActs(database, { subject: first, limit: 9 }), [{ operator: 'ada', action: 'obligations.retry' }]);

  for (const recordId of [settled, executing, uuidv7()]) {
    const { exitCode, errors } = await run('retry', recordId);
    t.is(exitCode, 1);
    t.regex(errors, /there is no open obligation/);
    t.deepEqual(await listActs(database, { subject: recordId, limit: 1 }), []);
  }
});

import test from 'ava';
import { sql } from 'kysely';
import { findBrokenAct, listActs, recordAct } from '../../../services/store/operator-acts.ts';
import { createTestDatabase } from '../../kit/test-database.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);

const act = (subject: string) => ({
  operator: 'ada',
  action: 'payments.refund',
  subject,
  reason: 'the customer asked',
  detail: { amount: '3000', repeat: false },
});
const record = (subject: string) => database.transaction().execute((one) => recordAct(one, act(subject)));

test.serial('acts that are recorded at the same time form one gapless chain', async (t) => {
  await Promise.all(Array.from({ length: 40 }, (_, index) => record(`claim-${index % 2}`)));
  const all = await listActs(database, { limit: 100 });
  t.deepEqual(
    all.map(({ sequence }) => sequence),
    Array.from({ length: 40 }, (_, index) => BigInt(40 - index)),
  );
  t.is(await findBrokenAct(database), undefined);
  const some = await listActs(database, { subject: 'claim-1', limit: 5 });
  t.is(some.length, 5);
  t.like(some[0], { operator: 'ada', subject: 'claim-1', detail: '{"amount":"3000","repeat":false}' });
});

test.serial('an act of a transaction that is rolled back leaves no gap', async (t) => {
  const failed = database.transaction().execute(async (transaction) => {
    await recordAct(transaction, act('nothing'));
    throw new Error('changed my mind');
  });
  await t.throwsAsync(failed);
  await record('claim-2');
  t.deepEqual(await listActs(database, { subject: 'nothing', limit: 1 }), []);
  t.is(await findBrokenAct(database), undefined);
});

test.serial('a recorded act can be neither changed nor deleted', async (t) => {
  const refused = { message: /rows of operator_act are never changed or deleted/ };
  await t.throwsAsync(sql`UPDATE operator_act SET reason = 'another'`.execute(database), refused);
  await t.throwsAsync(sql`DELETE FROM operator_act WHERE sequence = 1`.execute(database), refused);
  await t.throwsAsync(sql`TRUNCATE operator_act`.execute(database), refused);
});

for (const [what, change] of [
  ['changed', sql`UPDATE operator_act SET reason = 'another' WHERE sequence = 3`],
  ['deleted', sql`DELETE FROM operator_act WHERE sequence = 3`],
] as const) {
  test.serial(`an act that the owner of the database ${what} is found`, async (t) => {
    await t.throwsAsync(
      database.transaction().execute(async (transaction) => {
        await sql`ALTER TABLE operator_act DISABLE TRIGGER ALL`.execute(transaction);
        await change.execute(transaction);
        t.is(await findBrokenAct(transaction), 3n);
        throw new Error('undo');
      }),
      { message: 'undo' },
    );
  });
}

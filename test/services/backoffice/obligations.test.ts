import test from 'ava';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { createObligations } from '../../../services/backoffice/obligations.ts';
import { onlyRow } from '../../../services/store/rows.ts';
import { createTestDatabase } from '../../helpers/test-database.ts';

const { database, stop } = await createTestDatabase();
test.after.always(stop);
test.afterEach.always(() => database.deleteFrom('obligation').execute());

async function owe(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, () => uuidv7());
  const rows = ids.map((record_id) => ({ record_id, due_at: new Date(0), attempts: 0 }));
  await database.insertInto('obligation').values(rows).execute();
  return ids;
}

const clockMs = async () =>
  onlyRow(
    (await sql<{ ms: number }>`SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS ms`.execute(database))
      .rows,
  ).ms;

test.serial('an obligation is due again after five seconds, then after twice as long, up to an hour', async (t) => {
  const [id = ''] = await owe(1);
  const obligations = createObligations(database);
  const delays = [5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, ...Array<number>(8).fill(3600)];
  for (const seconds of delays) {
    const beforeMs = await clockMs();
    t.deepEqual(await obligations.takeDue(10), [id]);
    const afterMs = await clockMs();
    t.deepEqual(await obligations.takeDue(10), [], 'it is not due meanwhile');
    const { due_at } = await database.selectFrom('obligation').select('due_at').executeTakeFirstOrThrow();
    const dueMs = due_at.getTime() - seconds * 1000;
    // The time of a row has a millisecond at most.
    t.true(dueMs >= beforeMs - 1 && dueMs <= afterMs + 1, `${seconds} s`);
    await database
      .updateTable('obligation')
      .set({ due_at: new Date(0) })
      .execute();
  }
});

test.serial('copies that take obligations at the same time take each one once', async (t) => {
  const ids = await owe(40);
  const taken = await Promise.all(Array.from({ length: 4 }, () => createObligations(database).takeDue(10)));
  const takenIds = taken.flat();
  t.is(new Set(takenIds).size, takenIds.length);
  t.true(takenIds.every((id) => ids.includes(id)));
});

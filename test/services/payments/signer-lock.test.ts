import test from 'ava';
import pg from 'pg';
import { createLock } from '../../../services/payments/signer/signer-lock.ts';
import { createLockSessions } from '../../../services/store/recurring/lock-session.ts';
import { createTestDatabase } from '../../kit/test-database.ts';

const NETWORK = 'eip155:31337';
const { url, stop } = await createTestDatabase();
test.after.always(stop);

/** The locks of one copy of the service. */
function openCopy(t: { teardown(close: () => Promise<void>): void }) {
  const sessions = createLockSessions(url);
  t.teardown(sessions.close);
  return { sessions, lock: createLock(sessions, NETWORK) };
}

test('work under a name runs alone, in this process and in others', async (t) => {
  const copies = [openCopy(t), openCopy(t)];
  let running = 0;
  let most = 0;
  const works = Array.from({ length: 12 }, (_, index) =>
    copies[index % 2]?.lock('name', async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return index;
    }),
  );
  t.deepEqual(
    await Promise.all(works),
    works.map((_, index) => index),
  );
  t.is(most, 1);
});

test('the locks of a session that ends are free, and the next work opens another session', async (t) => {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  t.teardown(() => admin.end());
  const { sessions, lock } = openCopy(t);
  const other = openCopy(t);
  await lock('lost', async () => {
    const { lost } = await sessions.current();
    const isLost = new Promise((resolve) => lost.addEventListener('abort', resolve, { once: true }));
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_locks
      WHERE locktype = 'advisory' AND objid = (hashtext('payments/${NETWORK}/lost')::bigint & 4294967295)::oid`);
    await isLost;
    t.is(await other.lock('lost', async () => 'taken'), 'taken');
  });
  t.is(await lock('lost', async () => 'again'), 'again');
});

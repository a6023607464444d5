import test, { type ExecutionContext } from 'ava';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { findStandby, loseStandby } from '../../../kit/lost-standby.ts';
import { adminUrlOf, connected, setServer } from '../../../kit/owned-database.ts';
import { startTestPostgres } from '../../../kit/servers.ts';
import { until } from '../../../kit/until.ts';
import { newReservation, throwsUnavailable } from '../fixture.ts';
import { fillDisk } from '../store/full-disk.ts';
import { openTrialLedger, prepareLedger } from '../store/store-fixture.ts';
import { newCharge, newHold } from './channel-requests.ts';
import { answerFor, openClient, serveLedger } from './service-fixture.ts';

const server = await startTestPostgres();
const database = openDatabase({
  url: server.url,
  connections: 1,
  logger: createLogger({ name: 'test', level: 'silent' }),
});
await prepareLedger(server.url);
await createPartitions(database, Date.now());
test.after.always(async () => {
  await database.destroy();
  await server.stop();
});

async function open(t: ExecutionContext) {
  const ledger = openTrialLedger(t, { url: server.url, database }, { connections: 8 });
  const { target } = await serveLedger(t, ledger, { gate: { lateMs: 20 } });
  const client = await openClient(t, { target });
  // It does not learn from its checks that the service is closed.
  const unaware = await openClient(t, { target, checkEveryMs: 86_400_000 });
  return { ledger, client, unaware };
}

test.serial('while a post waits for a standby, nothing is reserved, and then it goes on', async (t) => {
  const { ledger, client, unaware } = await open(t);
  const [posted, voided] = [newReservation(), newReservation()];
  await Promise.all([posted, voided].map(client.reserve));
  await connected(adminUrlOf(server.url), async (admin) => {
    await loseStandby(server.url);
    const isWaiting = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = $1";
    const post = client.post(answerFor(posted));
    await until(async () => (await admin.query(isWaiting, [ledger.network])).rowCount);
    await until(() => !client.ready().ok);
    t.deepEqual(client.ready(), { ok: false, reason: 'a charge waits for the disk or a standby of the database' });
    await throwsUnavailable(t, client.reserve(newReservation()), 'not_ready');
    await throwsUnavailable(t, unaware.reserve(newReservation()), 'not_ready');
    await throwsUnavailable(t, unaware.charge(newCharge()), 'not_ready');
    await throwsUnavailable(t, unaware.holdRefund(newHold()), 'not_ready');
    // What was reserved may end, and the budget can be read.
    t.is((await client.void(voided.reservationId, 'cancelled')).state, 'voided');
    t.is((await client.budget()).remainingMicroUsd, 4_986_000n);
    await findStandby(server.url);
    t.is((await post).state, 'posted');
  });
  await until(() => client.ready().ok);
  t.is((await unaware.reserve(newReservation())).state, 'reserved');
  t.like(await ledger.audit(), { pending: 1, violations: [] });
});

test.serial('while a standby is away, a service that starts stays closed', async (t) => {
  await connected(adminUrlOf(server.url), async (admin) => {
    await loseStandby(server.url);
    const ledger = openTrialLedger(t, { url: server.url, database }, { connections: 8 });
    let isOpen = false;
    const started = open(t).finally(() => {
      isOpen = true;
    });
    const probing = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%probe%'";
    await until(async () => (await admin.query(probing)).rowCount);
    t.is((await ledger.reserve({ ...newReservation(), lockLeftMs: 30_000 })).state, 'reserved');
    t.false(isOpen);
    await findStandby(server.url);
    const { client } = await started;
    t.is((await client.reserve(newReservation())).state, 'reserved');
  });
});

test.serial('while the disk of the database is full, nothing is reserved, and then it goes on', async (t) => {
  const { client, unaware } = await open(t);
  const findSpace = await fillDisk(server.url, ['ledger.reservation']);
  await throwsUnavailable(t, client.reserve(newReservation()), 'refused');
  await until(() => !client.ready().ok);
  await throwsUnavailable(t, unaware.reserve(newReservation()), 'not_ready');
  await throwsUnavailable(t, unaware.charge(newCharge()), 'not_ready');
  await findSpace();
  await until(() => client.ready().ok);
  t.is((await client.reserve(newReservation())).state, 'reserved');
});

test.serial('a database that may lose commits, or takes none, closes the ledger until that ends', async (t) => {
  const { client, unaware } = await open(t);
  await connected(adminUrlOf(server.url), async (admin) => {
    for (const [name, value, reason] of [
      ['fsync', 'off', /fsync is off/],
      ['full_page_writes', 'off', /full_page_writes is off/],
      ['default_transaction_isolation', 'serializable', /isolation/],
      ['default_transaction_read_only', 'on', /read-only/],
    ] as const) {
      await setServer(admin, name, value);
      const { reason: found } = await until(() => {
        const readiness = client.ready();
        return readiness.ok ? undefined : readiness;
      });
      t.regex(found, reason);
      await throwsUnavailable(t, unaware.reserve(newReservation()), 'not_ready');
      await admin.query('SET default_transaction_read_only = off');
      await admin.query(`ALTER SYSTEM RESET ${name}`);
      await admin.query('SELECT pg_reload_conf()');
      await until(() => client.ready().ok);
      t.is((await unaware.reserve(newReservation())).state, 'reserved');
    }
  });
});

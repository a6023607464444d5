import test, { type ExecutionContext } from 'ava';
import type pg from 'pg';
import { createPartitions } from '../../../../services/backoffice/retention/partitions.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { openDatabase } from '../../../../services/store/database.ts';
import { findStandby, loseStandby } from '../../../kit/lost-standby.ts';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { startTestPostgres } from '../../../kit/servers.ts';
import { until } from '../../../kit/until.ts';
import { newCharge } from '../channel-fixture.ts';
import { throwsUnavailable } from '../fixture.ts';
import { newAnswer, newTrial, type OpenLedger, openTrialLedger, prepareLedger } from './store-fixture.ts';

/** A ledger with a server of its own. */
async function open(t: ExecutionContext) {
  const server = await startTestPostgres();
  t.teardown(() => server.stop());
  const logger = createLogger({ name: 'test', level: 'silent' });
  const database = openDatabase({ url: server.url, connections: 1, logger });
  await prepareLedger(server.url);
  await createPartitions(database, Date.now());
  await database.destroy();
  return { server, ledger: openTrialLedger(t, { url: server.url, database }) };
}

/** The process of the server that waits for a standby, for a ledger. */
const waitingPid = (admin: pg.Client, { network }: OpenLedger): Promise<number> => {
  const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = $1";
  return until(async () => (await admin.query(waiting, [network])).rows[0]?.pid);
};

test('while a synchronous standby is away, posts wait, and reserves, voids and sweeps go on', async (t) => {
  const { server, ledger } = await open(t);
  const [early, posted, voided, beside] = [newTrial(), newTrial(), newTrial(), newTrial()];
  await Promise.all([early, posted, voided, beside].map(ledger.reserve));
  await ledger.post(newAnswer(early));

  await connected(adminUrlOf(server.url), async (admin) => {
    await loseStandby(server.url);
    const post = throwsUnavailable(t, ledger.post(newAnswer(posted)), 'uncertain');
    const pid = await waitingPid(admin, ledger);

    t.is((await ledger.reserve(newTrial({ wallet: posted.wallet }))).state, 'reserved');
    // One batch.
    const [first, known, other] = [voided, early, beside].map(({ reservationId }) =>
      ledger.void(reservationId, 'cancelled'),
    );
    t.is((await first)?.state, 'voided');
    t.is((await other)?.state, 'voided');
    t.is((await ledger.reserve(newTrial({ wallet: beside.wallet }))).state, 'reserved');
    t.is((await ledger.void(posted.reservationId, 'cancelled')).state, 'busy');
    t.deepEqual(await ledger.sweep({ graceMs: -3_600_000, limit: 10 }), { voided: 2, busy: 1 });

    // The server gives up waiting, commits locally, and only warns.
    await admin.query('SELECT pg_cancel_backend($1)', [pid]);
    await post;
    await findStandby(server.url);
    t.is((await known)?.state, 'posted');
  });
  t.is((await ledger.post(newAnswer(posted))).state, 'posted');
  t.deepEqual(await ledger.audit(), { wallets: 4, channels: 0, pending: 0, violations: [] });
});

test('a charge that is not on the synchronous standby yet is not answered again', async (t) => {
  const { server, ledger } = await open(t);
  const call = newCharge();
  await ledger.show(call.channelId, { balanceMicroUsd: 100_000n });
  await ledger.charge(call);
  await connected(adminUrlOf(server.url), async (admin) => {
    await loseStandby(server.url);
    const cancelled = async () => admin.query('SELECT pg_cancel_backend($1)', [await waitingPid(admin, ledger)]);
    // The server commits locally.
    await Promise.all([throwsUnavailable(t, ledger.post(newAnswer(call)), 'uncertain'), cancelled()]);
    const repeated = ledger.charge({ ...call, reservationId: newCharge().reservationId });
    await Promise.all([throwsUnavailable(t, repeated, 'uncertain'), cancelled()]);
    await findStandby(server.url);
  });
  const { reservationId } = newCharge();
  t.like(await ledger.charge({ ...call, reservationId }), { state: 'repeated', reservationId: call.reservationId });
});

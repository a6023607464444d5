import test, { type ExecutionContext } from 'ava';
import type pg from 'pg';
import { findStandby, loseStandby } from '../../../kit/lost-standby.ts';
import { adminUrlOf, connected } from '../../../kit/owned-database.ts';
import { startSeededPostgres } from '../../../kit/seeded-postgres.ts';
import { until } from '../../../kit/until.ts';
import { newCharge, newHold } from '../channel-fixture.ts';
import { newReservation, throwsUnavailable } from '../fixture.ts';
import { fundedCall, spend } from '../store/ledger-steps.ts';
import { newAnswer, newTrial, type OpenLedger, openTrialLedger, startLedgerServer } from '../store/store-fixture.ts';
import { answerFor, openClient, serveLedger } from './service-fixture.ts';

// Tests that lose the standbys of a server, or the server itself, which is killed by the last one.

const { server, database, of } = await startLedgerServer();
const { url } = server;
let { stop } = server;
test.after.always(async () => {
  await database.destroy();
  await stop();
});

/** The process of the server that waits for a standby, for a ledger. */
const waitingPid = (admin: pg.Client, { network }: OpenLedger): Promise<number> => {
  const waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND application_name = $1";
  return until(async () => (await admin.query(waiting, [network])).rows[0]?.pid);
};

test.serial('while a synchronous standby is away, posts wait, and reserves, voids and sweeps go on', async (t) => {
  const ledger = openTrialLedger(t, of);
  const [early, posted, voided, beside] = [newTrial(), newTrial(), newTrial(), newTrial()];
  await spend(ledger, early);
  await Promise.all([posted, voided, beside].map(ledger.reserve));

  await connected(adminUrlOf(url), async (admin) => {
    await loseStandby(url);
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
    await findStandby(url);
    t.is((await known)?.state, 'posted');
  });
  t.is((await ledger.post(newAnswer(posted))).state, 'posted');
  t.deepEqual(await ledger.audit(), { wallets: 4, channels: 0, pending: 0, violations: [] });
});

test.serial('a charge that is not on the synchronous standby yet is not answered again', async (t) => {
  const ledger = openTrialLedger(t, of);
  const call = await fundedCall(ledger);
  await ledger.charge(call);
  await connected(adminUrlOf(url), async (admin) => {
    await loseStandby(url);
    const cancelled = async () => admin.query('SELECT pg_cancel_backend($1)', [await waitingPid(admin, ledger)]);
    // The server commits locally.
    await Promise.all([throwsUnavailable(t, ledger.post(newAnswer(call)), 'uncertain'), cancelled()]);
    const repeated = ledger.charge({ ...call, reservationId: newCharge().reservationId });
    await Promise.all([throwsUnavailable(t, repeated, 'uncertain'), cancelled()]);
    await findStandby(url);
  });
  const { reservationId } = newCharge();
  t.like(await ledger.charge({ ...call, reservationId }), { state: 'repeated', repeatedId: call.reservationId });
});

async function open(t: ExecutionContext) {
  const ledger = openTrialLedger(t, of, { connections: 8 });
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
  await connected(adminUrlOf(url), async (admin) => {
    await loseStandby(url);
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
    await findStandby(url);
    t.is((await post).state, 'posted');
  });
  await until(() => client.ready().ok);
  t.is((await unaware.reserve(newReservation())).state, 'reserved');
  t.like(await ledger.audit(), { pending: 1, violations: [] });
});

test.serial('while a standby is away, a service that starts stays closed', async (t) => {
  await connected(adminUrlOf(url), async (admin) => {
    await loseStandby(url);
    const ledger = openTrialLedger(t, of, { connections: 8 });
    let isOpen = false;
    const started = open(t).finally(() => {
      isOpen = true;
    });
    const probing = "SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep' AND query LIKE '%probe%'";
    await until(async () => (await admin.query(probing)).rowCount);
    t.is((await ledger.reserve({ ...newReservation(), lockLeftMs: 30_000 })).state, 'reserved');
    t.false(isOpen);
    await findStandby(url);
    const { client } = await started;
    t.is((await client.reserve(newReservation())).state, 'reserved');
  });
});

test.serial(
  'a database that is killed closes the ledger, and after its restart nothing that was posted is lost',
  async (t) => {
    await database.destroy();
    const ledger = openTrialLedger(t, of, { connections: 8 });
    ledger.notAudited();
    const { target } = await serveLedger(t, ledger);
    const client = await openClient(t, { target });
    const [posted, later] = [newReservation(), newReservation()];
    await client.reserve(posted);
    await client.post(answerFor(posted));
    await client.reserve(later);

    await server.kill();
    await until(() => !client.ready().ok);
    await throwsUnavailable(t, client.reserve(newReservation()), 'not_ready');
    const post = client.post(answerFor(later)).then(
      ({ state }) => state,
      () => 'failed',
    );
    const restarted = await startSeededPostgres(server.folder.place('postgres'));
    stop = async () => {
      await restarted.stop();
      server.folder.remove();
    };
    await until(() => client.ready().ok);
    t.is((await client.post(answerFor(posted))).state, 'posted');
    // The crash may have lost the reservation, which was not durable. What a post answered is so.
    const [first, second] = [await post, (await client.post(answerFor(later))).state];
    t.true(first === second || first === 'failed');
    t.is((await client.reserve(newReservation())).state, 'reserved');
    t.like(await ledger.audit(), { violations: [] });
  },
);

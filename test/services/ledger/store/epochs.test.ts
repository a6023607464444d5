import test from 'ava';
import { v7 as uuidv7, version } from 'uuid';
import { createVouchers } from '../../../../services/backoffice/channels/vouchers.ts';
import { readDatabaseStatus } from '../../../../services/ledger/store/status.ts';
import { readBytes32 } from '../../../../services/payments/channels/channel-config.ts';
import { createChannelRecords } from '../../../../services/payments/channels/channel-records.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { newChannel, newCharge, newHold } from '../channel-fixture.ts';
import { DEPOSIT, fundedCall, paidCall, pay } from './ledger-steps.ts';
import { newAnswer, newTrial, type OpenLedger, openOwnLedger } from './store-fixture.ts';

// The epoch is of the whole database, so each test has its own.
const open = async (t: Parameters<typeof openOwnLedger>[0]) => (await openOwnLedger(t)).ledger;

/** Makes the database look like one that was restored from a backup. */
const restore = (ledger: OpenLedger) => ledger.query("UPDATE ledger.epoch SET identity = 'another'");

/** Stores that all events of the contract were read, as the back office does. */
const watch = ({ query, network }: OpenLedger) =>
  query(
    `INSERT INTO public.channel_watch (network, next_block, watched_at, epoch) SELECT $1, 1, ledger.clock(), max(number) FROM ledger.epoch
      ON CONFLICT (network) DO UPDATE SET epoch = excluded.epoch`,
    [network],
  );

/** A restored database whose epoch has begun, after the contract was read. */
async function restoreAndWatch(ledger: OpenLedger): Promise<void> {
  await restore(ledger);
  await ledger.void(uuidv7(), 'cancelled');
  await watch(ledger);
}

/** A channel with one charge, of a database that was restored since. */
async function restoredCall(ledger: OpenLedger, given?: Parameters<typeof newCharge>[0]) {
  const charge = await paidCall(ledger, given);
  await restoreAndWatch(ledger);
  return charge;
}

/** A channel with two charges and a third call that failed, which settled it after a restore. */
async function restoredAndFailed(ledger: OpenLedger) {
  const { channelId } = await paidCall(ledger);
  const second = newCharge({ channelId, cumulativeMicroUsd: 28_000n });
  await pay(ledger, second);
  await restoreAndWatch(ledger);
  const failed = newCharge({ channelId, cumulativeMicroUsd: 42_000n });
  await ledger.charge(failed);
  const { state } = await ledger.void(failed.reservationId, 'operation_failed');
  if (state !== 'voided') throw new Error(state);
  return { channelId, second, failed };
}

const publish = (database: Parameters<typeof createChannelRecords>[0], network: string, id: string, signed: bigint) =>
  createChannelRecords(database, network).publish([{ channelId: readBytes32(id, 'id'), maxClaimableAmount: signed }]);

test('proofs that may have been used before a restore are refused, and later ones are not', async (t) => {
  const ledger = await open(t);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  t.is((await ledger.reserve(newTrial())).state, 'reserved');
  await restore(ledger);
  t.is((await ledger.reserve(newTrial({ nowMs, expirationTimeMs: nowMs + 309_000 }))).state, 'expired');
  t.is((await ledger.reserve(newTrial({ nowMs, expirationTimeMs: nowMs + 311_000 }))).state, 'reserved');
  t.is((await ledger.query('SELECT number FROM ledger.epoch')).length, 2);
  t.regex((await readDatabaseStatus(ledger.pool)).fault ?? '', /restored or moved/);
});

test('after a second restore by an earlier clock, what the first one refuses is still refused', async (t) => {
  const ledger = await open(t);
  const nowMs = Date.now();
  for (const atMs of [nowMs, nowMs - 60_000]) {
    await ledger.setClock(atMs);
    await restore(ledger);
    await ledger.void(uuidv7(), 'cancelled');
  }
  const state = async (expirationTimeMs: number) =>
    (await ledger.reserve(newTrial({ nowMs: nowMs - 60_000, expirationTimeMs }))).state;
  t.is(await state(nowMs + 309_000), 'expired');
  t.is(await state(nowMs + 311_000), 'reserved');
});

test('processes that find a restored database at the same time begin one epoch', async (t) => {
  const ledger = await open(t);
  await restore(ledger);
  const channels = Array.from({ length: 8 }, newChannel);
  await Promise.all([
    ...channels.map((channelId) => ledger.charge(newCharge({ channelId }))),
    ...channels.map(() => ledger.void(uuidv7(), 'cancelled')),
    ledger.reserve(newTrial()),
  ]);
  t.deepEqual(await ledger.query('SELECT number FROM ledger.epoch ORDER BY number'), [{ number: 0 }, { number: 1 }]);
});

test('the same database has one epoch, unless another one is forced', async (t) => {
  const ledger = await open(t);
  for (const [isForced, epochs] of [
    [false, 1],
    [true, 2],
    [false, 2],
  ] as const) {
    await ledger.query(`SELECT ${LEDGER_FUNCTIONS}.begin_epoch($1)`, [isForced]);
    t.is((await ledger.query('SELECT FROM ledger.epoch')).length, epochs);
  }
});

test('a ledger of a later format is refused', async (t) => {
  const ledger = await open(t);
  await ledger.query('UPDATE ledger.epoch SET format = 2');
  await t.throwsAsync(ledger.reserve(newTrial()), { code: 'refused', message: /later release/ });
});

test('a voucher shows what a channel was charged before the restore, and its void takes none of it back', async (t) => {
  const ledger = await open(t);
  const { channelId } = await restoredCall(ledger);
  // Two more calls were charged, of which the database knows nothing.
  const next = newCharge({ channelId, cumulativeMicroUsd: 56_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 42_000n } });
  await ledger.void(next.reservationId, 'operation_failed');
  t.like((await ledger.channels([channelId]))[0], { chargedMicroUsd: 42_000n, balanceMicroUsd: 58_000n });
  const [posted, recovered] = await ledger.query('SELECT kind, amount, id FROM ledger.entry ORDER BY kind');
  t.like(posted, { kind: 'post', amount: 14_000n });
  t.like(recovered, { kind: 'recovered', amount: 28_000n });
  t.is(version(String(recovered?.['id'])), 7);
  // The voucher is settled once: sums are exact again.
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 70_000n }))).state, 'cumulative_mismatch');
  await pay(ledger, { ...next, reservationId: uuidv7() });
  t.deepEqual(await ledger.audit(), { wallets: 0, channels: 1, pending: 0, violations: [] });
});

test('no voucher settles a channel before the contract was read after the restore', async (t) => {
  const ledger = await open(t);
  const { channelId } = await paidCall(ledger);
  await watch(ledger);
  await restore(ledger);
  // It may have been claimed since the backup, so that anyone can read it on the chain.
  const later = newCharge({ channelId, cumulativeMicroUsd: 56_000n });
  t.is((await ledger.charge(later)).state, 'unsettled');
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 56_000n });
  await watch(ledger);
  t.is((await ledger.charge({ ...later, reservationId: uuidv7() })).state, 'cumulative_below_claimed');
  const next = newCharge({ channelId, cumulativeMicroUsd: 70_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 56_000n } });
});

test('a contract that was read before a restore does not count as read after it, if the clock is behind', async (t) => {
  const ledger = await open(t);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  const { channelId } = await paidCall(ledger);
  await watch(ledger);
  // A standby is promoted, whose clock is five seconds behind: ten are allowed. It lacks the last calls and claims.
  await ledger.setClock(nowMs - 5000);
  await restore(ledger);
  // Anyone can read this voucher on the chain, where it is claimed since.
  t.is((await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd: 42_000n }))).state, 'unsettled');
});

test('another voucher finds the answer of its identifier in a channel that may lack charges', async (t) => {
  const ledger = await open(t);
  const identifier = { signer: `0x${'1'.repeat(40)}`, hash: 'a'.repeat(64) };
  const charge = await restoredCall(ledger, { identifier });
  const { channelId, fingerprint, reservationId, signature } = charge;
  const signedAgain = () => newCharge({ channelId, fingerprint, identifier, signature });
  t.like(await ledger.charge(signedAgain()), { state: 'repeated', repeatedId: reservationId });
  t.is((await ledger.charge({ ...signedAgain(), fingerprint: 'b'.repeat(64) })).state, 'identifier_reused');
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 14_000n });
  t.is((await ledger.charge(signedAgain())).state, 'cumulative_below_claimed');
});

test('until a voucher settles it, a channel tells what would, and no refund is held', async (t) => {
  const ledger = await open(t);
  const { channelId } = await restoredCall(ledger);
  const stateOf = async (cumulativeMicroUsd: bigint) =>
    (await ledger.charge(newCharge({ channelId, cumulativeMicroUsd }))).state;
  // Less than is charged: a client that lost its state.
  t.is(await stateOf(27_999n), 'cumulative_mismatch');
  // More than is there: a client that must deposit.
  t.is(await stateOf(100_001n), 'exceeds_balance');
  // What was claimed on the chain was charged.
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  t.is(await stateOf(28_000n), 'cumulative_below_claimed');
  t.is(await stateOf(30_000n), 'cumulative_below_claimed');
  const hold = (cumulativeMicroUsd: bigint) => ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd }));
  t.is((await hold(14_000n)).state, 'cumulative_below_claimed');
  const account = { chargedMicroUsd: 42_000n };
  t.like(await hold(42_000n), { state: 'reserved', amountMicroUsd: 58_000n, account });
});

test('a refund of an operator, who has no voucher, does not settle a channel', async (t) => {
  const ledger = await open(t);
  const { channelId } = await restoredCall(ledger);
  const { signature: _, ...hold } = newHold({ channelId, cumulativeMicroUsd: 14_000n });
  t.is((await ledger.holdRefund(hold)).state, 'unsettled');
  const next = newCharge({ channelId, cumulativeMicroUsd: 42_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 28_000n } });
  await ledger.void(next.reservationId, 'operation_failed');
  const settled = { ...hold, reservationId: uuidv7(), cumulativeMicroUsd: 28_000n };
  t.like(await ledger.holdRefund(settled), { state: 'reserved', amountMicroUsd: 72_000n });
});

test('a channel that the restored database does not know is settled by its first voucher', async (t) => {
  const ledger = await open(t);
  await restoreAndWatch(ledger);
  const charge = await fundedCall(ledger, { cumulativeMicroUsd: 70_000n });
  t.like(await ledger.charge(charge), { state: 'reserved', account: { chargedMicroUsd: 56_000n } });
  const fresh = await fundedCall(ledger);
  const { channelId } = fresh;
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 1n }))).state, 'cumulative_mismatch');
  await pay(ledger, fresh);
  t.is((await ledger.channels([channelId]))[0]?.chargedMicroUsd, 14_000n);
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'cumulative_mismatch');
});

test('a channel of which more was claimed than is charged is unsettled without a restore', async (t) => {
  const ledger = await open(t);
  const { channelId } = newCharge();
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  const { signature: _, ...ofOperator } = newHold({ channelId });
  t.is((await ledger.holdRefund(ofOperator)).state, 'unsettled');
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 35_000n }))).state, 'cumulative_below_claimed');
  const next = newCharge({ channelId, cumulativeMicroUsd: 42_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 28_000n } });
  // What it shows is no call that was posted.
  const [recovered] = await ledger.query("SELECT id FROM ledger.entry WHERE kind = 'recovered'");
  const reservationId = String(recovered?.['id']);
  t.is((await ledger.post(newAnswer({ reservationId }))).state, 'unknown');
  t.is((await ledger.void(reservationId, 'cancelled')).state, 'unknown');
});

test('a server of an earlier timeline is not believed', async (t) => {
  const ledger = await open(t);
  ledger.notAudited();
  t.is((await ledger.reserve(newTrial())).state, 'reserved');
  const [{ identity } = {}] = await ledger.query('SELECT ledger.identity()');
  const [system, , table] = String(identity).split('/');
  const be = (timeline: string) =>
    ledger.query(`CREATE OR REPLACE FUNCTION ledger.identity() RETURNS text LANGUAGE sql STABLE AS
      $$ SELECT '${system}/${timeline}/${table}' $$`);
  await be('00000003');
  t.is((await ledger.reserve(newTrial({ expirationTimeMs: Date.now() + 500_000 }))).state, 'reserved');
  await be('00000002');
  await t.throwsAsync(ledger.void(uuidv7(), 'cancelled'), { code: 'uncertain', message: /timeline 2, which 3/ });
});

test('a voucher that a void left unused is replaced only by a higher one, and is never claimed', async (t) => {
  const ledger = await open(t);
  const { channelId } = await restoredCall(ledger);
  for (const [cumulativeMicroUsd, amountMicroUsd, signed] of [
    [56_000n, 14_000n, 56_000n],
    [52_000n, 10_000n, 56_000n],
    [60_000n, 18_000n, 60_000n],
  ] as const) {
    const charge = newCharge({ channelId, cumulativeMicroUsd, amountMicroUsd });
    t.is((await ledger.charge(charge)).state, 'reserved');
    await ledger.void(charge.reservationId, 'operation_failed');
    t.deepEqual(await ledger.query('SELECT signed, claimable, charged FROM ledger.channel'), [
      { signed, claimable: 14_000n, charged: 42_000n },
    ]);
    await restoreAndWatch(ledger);
  }
});

test('after a restore and a call that failed, the voucher of the latest charge stays private, and gets its refund', async (t) => {
  const { ledger, database } = await openOwnLedger(t);
  const { channelId, second } = await restoredAndFailed(ledger);
  const vouchers = createVouchers({ database: database.database, network: ledger.network });
  const { vouchers: due } = await vouchers.due({ afterSeconds: 0, aboveMicroUsd: 1n });
  t.true(
    due.every(({ signedMicroUsd }) => signedMicroUsd < 28_000n),
    'the payer has not started a withdrawal, and its latest charged voucher is claimed',
  );
  for (const { signedMicroUsd } of due) await publish(database.database, ledger.network, channelId, signedMicroUsd);
  // The official client signs its refund for what was charged.
  const refund = newHold({ channelId, cumulativeMicroUsd: 28_000n, signature: second.signature });
  t.is((await ledger.holdRefund(refund)).state, 'reserved');
});

test('a cheaper call is possible after a withdrawal published a voucher for more than was charged', async (t) => {
  const { ledger, database } = await openOwnLedger(t);
  const { channelId, failed } = await restoredAndFailed(ledger);
  // A part is withdrawn, and what was charged is claimed meanwhile.
  await publish(database.database, ledger.network, channelId, 42_000n);
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT - 1000n, claimedMicroUsd: 28_000n });
  t.is((await ledger.charge({ ...failed, reservationId: uuidv7() })).state, 'cumulative_below_claimed');
  const cheaper = newCharge({ channelId, cumulativeMicroUsd: 33_000n, amountMicroUsd: 5000n });
  t.is((await ledger.charge(cheaper)).state, 'reserved');
});

import test from 'ava';
import { v7 as uuidv7, version } from 'uuid';
import { readDatabaseStatus } from '../../../../services/ledger/store/status.ts';
import { LEDGER_FUNCTIONS } from '../../../../services/store/ledger-functions.ts';
import { newChannel, newCharge, newHold } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, type OpenLedger, openTrialLedger } from './store-fixture.ts';

// The epoch is of the whole database, so each test has its own.
async function open(t: Parameters<typeof openTrialLedger>[0]): Promise<OpenLedger> {
  const database = await createLedgerDatabase();
  t.teardown(() => database.stop());
  return openTrialLedger(t, database);
}

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

const DEPOSIT = 100_000n;

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
  await ledger.setClock(nowMs + 11_000);
  t.is((await readDatabaseStatus(ledger.pool)).fault, undefined);
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
  const numbers = (await ledger.query('SELECT number FROM ledger.epoch ORDER BY number')).map(({ number }) => number);
  t.deepEqual(numbers, [0, 1]);
});

test('the same database has one epoch, unless another one is forced', async (t) => {
  const ledger = await open(t);
  const countAfter = async (isForced: boolean) => {
    await ledger.query(`SELECT ${LEDGER_FUNCTIONS}.begin_epoch($1)`, [isForced]);
    return (await ledger.query('SELECT FROM ledger.epoch')).length;
  };
  t.is(await countAfter(false), 1);
  t.is(await countAfter(true), 2);
  t.is(await countAfter(false), 2);
});

test('a ledger of a later format is refused', async (t) => {
  const ledger = await open(t);
  await ledger.query('UPDATE ledger.epoch SET format = 2');
  await t.throwsAsync(ledger.reserve(newTrial()), { code: 'refused', message: /later release/ });
});

/** A channel with one charge, of a database that was restored since. */
async function restoredChannel(ledger: OpenLedger, given?: Parameters<typeof newCharge>[0]) {
  const charge = newCharge(given);
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  await restoreAndWatch(ledger);
  return charge;
}

test('a voucher shows what a channel was charged before the restore, and its void takes none of it back', async (t) => {
  const ledger = await open(t);
  const { channelId } = await restoredChannel(ledger);
  // Two more calls were charged, of which the database knows nothing.
  const next = newCharge({ channelId, cumulativeMicroUsd: 56_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 42_000n } });
  await ledger.void(next.reservationId, 'operation_failed');
  t.like((await ledger.channels([channelId]))[0], { chargedMicroUsd: 42_000n, balanceMicroUsd: 58_000n });
  const entries = await ledger.query('SELECT kind, amount FROM ledger.entry WHERE account = $1 ORDER BY kind', [
    channelId,
  ]);
  t.deepEqual(entries, [
    { kind: 'post', amount: 14_000n },
    { kind: 'recovered', amount: 28_000n },
  ]);
  const [recovered] = await ledger.query("SELECT id FROM ledger.entry WHERE kind = 'recovered'");
  t.is(version(String(recovered?.['id'])), 7);
  // The voucher is settled once: sums are exact again.
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 70_000n }))).state, 'cumulative_mismatch');
  const again = { ...next, reservationId: uuidv7() };
  t.is((await ledger.charge(again)).state, 'reserved');
  await ledger.post(newAnswer(again));
  t.deepEqual(await ledger.audit(), { wallets: 0, channels: 1, pending: 0, violations: [] });
});

test('no voucher settles a channel before the contract was read after the restore', async (t) => {
  const ledger = await open(t);
  const charge = newCharge();
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  await watch(ledger);
  await restore(ledger);
  // It may have been claimed since the backup, so that anyone can read it on the chain.
  const later = newCharge({ channelId: charge.channelId, cumulativeMicroUsd: 56_000n });
  t.is((await ledger.charge(later)).state, 'unsettled');
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 56_000n });
  await watch(ledger);
  t.is((await ledger.charge({ ...later, reservationId: uuidv7() })).state, 'cumulative_below_claimed');
  const next = newCharge({ channelId: charge.channelId, cumulativeMicroUsd: 70_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 56_000n } });
});

test('a repeated voucher of a channel that may lack charges is answered, and does not settle it', async (t) => {
  const ledger = await open(t);
  const charge = await restoredChannel(ledger);
  const { channelId, reservationId } = charge;
  t.like(await ledger.charge({ ...charge, reservationId: uuidv7() }), {
    state: 'repeated',
    repeatedId: reservationId,
    account: { chargedMicroUsd: 14_000n },
  });
  // Two more calls were charged, of which the database knows nothing.
  const next = newCharge({ channelId, cumulativeMicroUsd: 56_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 42_000n } });
});

test('another voucher finds the answer of its identifier in a channel that may lack charges', async (t) => {
  const ledger = await open(t);
  const identifier = { signer: `0x${'1'.repeat(40)}`, hash: 'a'.repeat(64) };
  const charge = await restoredChannel(ledger, { identifier });
  const { channelId, fingerprint, reservationId } = charge;
  const signedAgain = () => newCharge({ channelId, fingerprint, identifier, signature: charge.signature });
  t.like(await ledger.charge(signedAgain()), { state: 'repeated', repeatedId: reservationId });
  t.is((await ledger.charge({ ...signedAgain(), fingerprint: 'b'.repeat(64) })).state, 'identifier_reused');
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 14_000n });
  t.is((await ledger.charge(signedAgain())).state, 'cumulative_below_claimed');
});

test('until a voucher settles it, a channel tells what would, and no refund is held', async (t) => {
  const ledger = await open(t);
  const { channelId } = await restoredChannel(ledger);
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
  t.is(
    (await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd: 14_000n }))).state,
    'cumulative_below_claimed',
  );
  t.like(await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd: 42_000n })), {
    state: 'reserved',
    amountMicroUsd: 58_000n,
    account: { chargedMicroUsd: 42_000n },
  });
});

test('a voucher that anyone can read on the chain does not settle a channel by a refund', async (t) => {
  const ledger = await open(t);
  // Another call was charged, of which the database knows nothing.
  const { channelId, signature } = await restoredChannel(ledger);
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 14_000n });
  const found = newHold({ channelId, cumulativeMicroUsd: 14_000n, signature });
  t.like(await ledger.holdRefund(found), { state: 'cumulative_below_claimed', account: { chargedMicroUsd: 14_000n } });
  t.like(await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 42_000n })), {
    state: 'reserved',
    account: { chargedMicroUsd: 28_000n },
  });
});

test('a refund of an operator, who has no voucher, does not settle a channel', async (t) => {
  const ledger = await open(t);
  const { channelId } = await restoredChannel(ledger);
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
  const charge = newCharge({ cumulativeMicroUsd: 70_000n });
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
  t.like(await ledger.charge(charge), { state: 'reserved', account: { chargedMicroUsd: 56_000n } });
  const fresh = newCharge();
  await ledger.show(fresh.channelId, { balanceMicroUsd: DEPOSIT });
  const small = newCharge({ channelId: fresh.channelId, cumulativeMicroUsd: 1n });
  t.is((await ledger.charge(small)).state, 'cumulative_mismatch');
  t.like(await ledger.charge(fresh), { state: 'reserved', account: { chargedMicroUsd: 0n } });
  await ledger.post(newAnswer(fresh));
  t.is((await ledger.charge(newCharge({ channelId: fresh.channelId }))).state, 'cumulative_mismatch');
});

test('a channel of which more was claimed than is charged is unsettled without a restore', async (t) => {
  const ledger = await open(t);
  const charge = newCharge();
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  const { signature: _, ...ofOperator } = newHold({ channelId: charge.channelId });
  t.is((await ledger.holdRefund(ofOperator)).state, 'unsettled');
  const next = newCharge({ channelId: charge.channelId, cumulativeMicroUsd: 42_000n });
  t.like(await ledger.charge(next), { state: 'reserved', account: { chargedMicroUsd: 28_000n } });
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
  const { channelId } = await restoredChannel(ledger);
  const read = async () =>
    (await ledger.query('SELECT signed, claimable, charged FROM ledger.channel WHERE id = $1', [channelId]))[0];
  const settle = async (cumulativeMicroUsd: bigint, amountMicroUsd: bigint) => {
    const charge = newCharge({ channelId, cumulativeMicroUsd, amountMicroUsd });
    t.is((await ledger.charge(charge)).state, 'reserved');
    await ledger.void(charge.reservationId, 'operation_failed');
    const row = await read();
    await restoreAndWatch(ledger);
    return row;
  };
  const known = { claimable: 14_000n, charged: 42_000n };
  t.deepEqual(await settle(56_000n, 14_000n), { ...known, signed: 56_000n });
  t.deepEqual(await settle(52_000n, 10_000n), { ...known, signed: 56_000n });
  t.deepEqual(await settle(60_000n, 18_000n), { ...known, signed: 60_000n });
});

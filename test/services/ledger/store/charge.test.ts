import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { newChannel, newCharge, newHold } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const DEPOSIT = 100_000n;
const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('an id of another account, amount, voucher or network is no repeat of a call that is open or charged', async (t) => {
  const [ledger, there] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  const [charge, trial] = [newCharge(), newTrial()];
  const other = newChannel();
  for (const channelId of [charge.channelId, other]) await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.reserve(trial);
  t.is((await ledger.charge({ ...charge, reservationId: trial.reservationId })).state, 'conflict');
  await ledger.charge(charge);
  t.is((await ledger.charge({ ...charge, cumulativeMicroUsd: 15_000n })).state, 'conflict');
  t.is((await ledger.reserve({ ...newTrial(), reservationId: charge.reservationId })).state, 'conflict');
  const statesOf = async () => [
    (await ledger.charge(charge)).state,
    (await ledger.charge({ ...charge, channelId: other })).state,
    (await ledger.charge({ ...charge, amountMicroUsd: 13_000n })).state,
    (await there.charge(charge)).state,
  ];
  t.deepEqual(await statesOf(), ['reserved', 'conflict', 'conflict', 'conflict']);
  t.is((await ledger.holdRefund(newHold({ ...charge, cumulativeMicroUsd: 14_000n }))).state, 'conflict');
  await ledger.post(newAnswer(charge));
  t.deepEqual(await statesOf(), ['posted', 'conflict', 'conflict', 'conflict']);
});

test('an id of another day is out of range', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge({ reservationId: uuidv7({ msecs: Date.now() - 90_000_000 }) });
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
  await t.throwsAsync(ledger.charge(charge), { code: 'INVALID_ARGUMENT' });
});

test('a channel without a deposit leaves nothing, and one without credit has no refund', async (t) => {
  const ledger = openTrialLedger(t, database);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: 0n });
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'channel_not_found');
  t.deepEqual(await ledger.query('SELECT FROM ledger.channel WHERE id = $1', [channelId]), []);
  const charge = newCharge({ channelId });
  await ledger.show(channelId, { balanceMicroUsd: 14_000n });
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  const hold = newHold({ channelId, cumulativeMicroUsd: 14_000n });
  t.is((await ledger.holdRefund(hold)).state, 'exceeds_balance');
  // A withdrawal of more than the contract holds leaves nothing, and not less.
  await ledger.show(channelId, { balanceMicroUsd: 14_000n, withdrawMicroUsd: 20_000n });
  t.like((await ledger.channels([channelId]))[0], { fundedMicroUsd: 14_000n, balanceMicroUsd: 0n });
});

test('a charge, a hold and a read show what the contract does, and nothing of a channel that was not read', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  const { channelId } = charge;
  const hold = newHold({ channelId, cumulativeMicroUsd: 0n });
  t.is((await ledger.charge(charge)).account.contract, undefined);
  await ledger.show(channelId, { balanceMicroUsd: 2n ** 63n - 1n, refundNonce: 2n });
  await ledger.query('UPDATE channel SET block_number = NULL WHERE channel_id = $1', [channelId]);
  t.is((await ledger.charge(charge)).account.contract, undefined);
  const withdrawal = { withdrawMicroUsd: 5n, withdrawRequestedAtS: 1_900_000_000n };
  await ledger.show(channelId, { balanceMicroUsd: 2n ** 63n - 1n, refundNonce: 2n, ...withdrawal });
  await ledger.query('UPDATE channel SET block_number = 1 WHERE channel_id = $1', [channelId]);
  const contract = { balance: 2n ** 63n - 1n, totalClaimed: 0n, refundNonce: 2n, withdrawRequestedAtS: 1_900_000_000n };
  t.deepEqual((await ledger.channels([channelId]))[0]?.contract, contract);
  t.deepEqual((await ledger.holdRefund(hold)).account.contract, contract);
  await ledger.void(hold.reservationId, 'operation_failed');
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 0n });
  const { state, account } = await ledger.charge(charge);
  const later = { balance: DEPOSIT, totalClaimed: 0n, refundNonce: 0n, withdrawRequestedAtS: 0n };
  t.deepEqual([state, account.contract], ['reserved', later]);
});

test('the contract of another network funds no channel', async (t) => {
  const [ledger, there] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  t.is((await there.channels([channelId]))[0]?.fundedMicroUsd, 0n);
  t.is((await ledger.channels([channelId]))[0]?.fundedMicroUsd, DEPOSIT);
});

test('a batch that has an id or a channel twice is refused', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [id, channel] = [uuidv7(), newChannel()];
  const ask = (asks: readonly object[]) => callFunction(ledger.pool, 'charge', [ledger.network, JSON.stringify(asks)]);
  for (const asks of [
    [
      { id, channel },
      { id, channel: newChannel() },
    ],
    [
      { id, channel },
      { id: uuidv7(), channel },
    ],
  ])
    await t.throwsAsync(ask(asks), { message: /same id or channel/ });
});

test('what a voucher replaces is claimed, and a repeat changes none of it', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charges = [14_000n, 28_000n, 42_000n].map((cumulativeMicroUsd) => newCharge({ cumulativeMicroUsd }));
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  const read = () =>
    ledger.query(
      `SELECT signed, claimable, claimable_signature IS DISTINCT FROM signature AS differs,
        unclaimed_since = (SELECT min(e.at) FROM ledger.entry e WHERE e.account = c.id AND e.id <> $2) AS since
        FROM ledger.channel c WHERE c.id = $1`,
      [channelId, charges[0]?.reservationId],
    );
  const rows: unknown[] = [];
  for (const charge of charges) {
    await ledger.charge({ ...charge, channelId });
    await ledger.post(newAnswer(charge));
    rows.push(...(await read()));
  }
  t.deepEqual(rows, [
    { signed: 14_000n, claimable: 0n, differs: true, since: null },
    { signed: 28_000n, claimable: 14_000n, differs: true, since: true },
    { signed: 42_000n, claimable: 28_000n, differs: true, since: true },
  ]);
});

test('a voucher that shows less than was claimed settles no channel', async (t) => {
  const ledger = openTrialLedger(t, database);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 35_000n }))).state, 'cumulative_below_claimed');
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 42_000n }))).state, 'reserved');
  // What it shows is no call that was posted.
  const [recovered] = await ledger.query("SELECT id FROM ledger.entry WHERE account = $1 AND kind = 'recovered'", [
    channelId,
  ]);
  const reservationId = String(recovered?.['id']);
  t.is((await ledger.post(newAnswer({ reservationId }))).state, 'unknown');
  t.is((await ledger.void(reservationId, 'cancelled')).state, 'unknown');
});

test('what is reserved stays funded when the deposit is gone', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.charge(charge);
  await ledger.show(charge.channelId, { balanceMicroUsd: 0n });
  t.like((await ledger.channels([charge.channelId]))[0], { fundedMicroUsd: 14_000n, balanceMicroUsd: 0n });
});

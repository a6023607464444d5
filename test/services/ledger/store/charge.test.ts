import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { callFunction } from '../../../../services/ledger/store/ledger-pool.ts';
import { newChannel, newCharge, newHold } from '../channel-fixture.ts';
import { DEPOSIT, fundedCall, pay } from './ledger-steps.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

test('an id of another account, amount, voucher or network is no repeat of a call that is open or charged', async (t) => {
  const [ledger, there] = [openTrialLedger(t, database), openTrialLedger(t, database)];
  const [charge, { channelId }] = [await fundedCall(ledger), await fundedCall(ledger)];
  const trial = newTrial();
  await ledger.reserve(trial);
  t.is((await ledger.charge({ ...charge, reservationId: trial.reservationId })).state, 'conflict');
  await ledger.charge(charge);
  t.is((await ledger.charge({ ...charge, cumulativeMicroUsd: 15_000n })).state, 'conflict');
  t.is((await ledger.reserve({ ...newTrial(), reservationId: charge.reservationId })).state, 'conflict');
  const statesOf = async () => [
    (await ledger.charge(charge)).state,
    (await ledger.charge({ ...charge, channelId })).state,
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
  const charge = await fundedCall(ledger, { reservationId: uuidv7({ msecs: Date.now() - 90_000_000 }) });
  await t.throwsAsync(ledger.charge(charge), { code: 'INVALID_ARGUMENT' });
});

test('a channel without a deposit leaves nothing, and one without credit has no refund', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.show(channelId, { balanceMicroUsd: 0n });
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'channel_not_found');
  t.deepEqual(await ledger.query('SELECT FROM ledger.channel WHERE id = $1', [channelId]), []);
  await ledger.show(channelId, { balanceMicroUsd: 14_000n });
  await pay(ledger, charge);
  const hold = newHold({ channelId, cumulativeMicroUsd: 14_000n });
  t.is((await ledger.holdRefund(hold)).state, 'exceeds_balance');
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
  const { channelId } = await fundedCall(ledger);
  t.is((await there.channels([channelId]))[0]?.fundedMicroUsd, 0n);
  t.is((await ledger.channels([channelId]))[0]?.fundedMicroUsd, DEPOSIT);
});

test('a batch that has an id or a channel twice is refused', async (t) => {
  const ledger = openTrialLedger(t, database);
  const one = { id: uuidv7(), channel: newChannel() };
  for (const other of [{ channel: newChannel() }, { id: uuidv7() }]) {
    const asks = JSON.stringify([one, { ...one, ...other }]);
    await t.throwsAsync(callFunction(ledger.pool, 'charge', [ledger.network, asks]), { message: /same id or channel/ });
  }
});

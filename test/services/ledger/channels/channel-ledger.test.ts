import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { newReservation, openLedger } from '../fixture.ts';
import { newChannel, newCharge, newHold, newSignature } from './channel-fixture.ts';

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

const DEPOSIT = 100_000n;

test('a call is charged once: reserved, posted, and the same voucher finds it', async (t) => {
  const ledger = await openLedger(t, redis);
  const charge = newCharge();
  const { channelId } = charge;
  t.is((await ledger.charge(charge)).state, 'channel_not_found');
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 10n });
  const reserved = await ledger.charge(charge);
  t.like(reserved, { state: 'reserved', account: { balanceMicroUsd: 86_000n, reservedMicroUsd: 14_000n } });
  // A retry has the first outcome, and another call of the channel must wait.
  t.is((await ledger.charge(charge)).state, 'reserved');
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'channel_busy');
  t.is((await ledger.post(charge.reservationId)).state, 'posted');

  const again = await ledger.charge({ ...charge, reservationId: uuidv7() });
  t.like(again, { state: 'repeated', reservationId: charge.reservationId });
  t.like(again.account, {
    fundedMicroUsd: DEPOSIT,
    balanceMicroUsd: 86_000n,
    reservedMicroUsd: 0n,
    chargedMicroUsd: 14_000n,
    voucher: { cumulativeMicroUsd: 14_000n, signature: charge.signature },
  });
  t.deepEqual((await ledger.audit()).violations, []);
});

test('a used voucher is not the payment of another request, nor of another holder', async (t) => {
  const ledger = await openLedger(t, redis);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 10n });
  await ledger.charge(charge);
  await ledger.post(charge.reservationId);
  const { fingerprint, holder } = newCharge();
  const { holder: _, ...unheld } = charge;
  for (const other of [{ ...charge, fingerprint }, { ...charge, ...(holder && { holder }) }, unheld]) {
    const outcome = await ledger.charge({ ...other, reservationId: uuidv7() });
    t.is(outcome.state, 'cumulative_mismatch');
    t.is(outcome.account.voucher?.signature, charge.signature);
  }
  t.is((await ledger.channels([channelId]))[0]?.chargedMicroUsd, 14_000n);
});

test('a call that failed leaves its voucher usable, and the one before it the latest', async (t) => {
  const ledger = await openLedger(t, redis);
  const first = newCharge();
  const { channelId } = first;
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 10n });
  await ledger.charge(first);
  await ledger.post(first.reservationId);
  const second = newCharge({ channelId, cumulativeMicroUsd: 28_000n });
  await ledger.charge(second);
  await ledger.void(second.reservationId, 'caller_failed');
  const [account] = await ledger.channels([channelId]);
  t.like(account, { chargedMicroUsd: 14_000n, voucher: { signature: first.signature } });
  const retried = { ...second, reservationId: uuidv7() };
  t.is((await ledger.charge(retried)).state, 'reserved');
  t.is((await ledger.post(retried.reservationId)).state, 'posted');
  t.is((await ledger.charge({ ...second })).state, 'voided');
  t.deepEqual((await ledger.audit()).violations, []);
});

test('only the exact next amount is accepted, within what the contract holds', async (t) => {
  const ledger = await openLedger(t, redis);
  const channelId = newChannel();
  await ledger.fund({ channelId, usableMicroUsd: 20_000n, block: 1n });
  const stateOf = async (cumulativeMicroUsd: bigint, amountMicroUsd = 14_000n) =>
    (await ledger.charge(newCharge({ channelId, cumulativeMicroUsd, amountMicroUsd }))).state;
  t.is(await stateOf(13_999n), 'cumulative_mismatch');
  t.is(await stateOf(14_001n), 'cumulative_mismatch');
  t.is(await stateOf(28_000n), 'cumulative_mismatch');
  t.is(await stateOf(20_001n, 20_001n), 'exceeds_balance');
  const late = newCharge({ channelId, deadlineMs: Date.now() - 60_000 });
  t.is((await ledger.charge(late)).state, 'deadline_passed');
  t.is(await stateOf(20_000n, 20_000n), 'reserved');
});

test('credit follows the contract: later blocks count, earlier ones do not, and charges stay', async (t) => {
  const ledger = await openLedger(t, redis);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 10n });
  t.is((await ledger.fund({ channelId, usableMicroUsd: 1n, block: 9n })).fundedMicroUsd, DEPOSIT);
  await ledger.charge(charge);
  await ledger.post(charge.reservationId);
  // The deposit is gone, as after a reorganization.
  t.like(await ledger.fund({ channelId, usableMicroUsd: 0n, block: 11n }), {
    fundedMicroUsd: 14_000n,
    balanceMicroUsd: 0n,
    chargedMicroUsd: 14_000n,
  });
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 28_000n }))).state, 'exceeds_balance');
  t.is((await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 12n })).balanceMicroUsd, 86_000n);
  t.deepEqual((await ledger.audit()).violations, []);
});

test('a call that is voided after a withdrawal began frees nothing that the payer can withdraw', async (t) => {
  const ledger = await openLedger(t, redis);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.fund({ channelId, usableMicroUsd: 14_000n, block: 1n });
  await ledger.charge(charge);
  await ledger.fund({ channelId, usableMicroUsd: 0n, block: 2n });
  await ledger.void(charge.reservationId, 'operation_failed');
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'exceeds_balance');
  t.deepEqual((await ledger.audit()).violations, []);
});

test('a refund is held until the contract has paid it, and its end frees nothing in between', async (t) => {
  const ledger = await openLedger(t, redis);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 1n });
  await ledger.charge(charge);
  await ledger.post(charge.reservationId);
  const hold = newHold({ channelId, cumulativeMicroUsd: 14_000n });
  t.like(await ledger.holdRefund({ ...hold, cumulativeMicroUsd: 0n }), { state: 'cumulative_mismatch' });
  const held = await ledger.holdRefund(hold);
  // The refund claims the charges with this voucher.
  const voucher = { cumulativeMicroUsd: 14_000n, signature: charge.signature };
  t.like(held, { state: 'reserved', amountMicroUsd: 86_000n, account: { chargedMicroUsd: 14_000n, voucher } });
  t.like((await ledger.channels([channelId]))[0], { reservedMicroUsd: 86_000n, voucher });
  t.like(await ledger.charge({ ...charge, reservationId: uuidv7() }), { state: 'repeated' });
  t.deepEqual((await ledger.audit()).violations, []);
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 28_000n }))).state, 'channel_busy');
  // Another process has seen the refund first.
  await ledger.fund({ channelId, usableMicroUsd: 14_000n, block: 3n });
  const refundId = hold.reservationId;
  const account = await ledger.fund({ channelId, usableMicroUsd: 14_000n, block: 2n, refundId });
  t.like(account, { fundedMicroUsd: 14_000n, balanceMicroUsd: 0n, reservedMicroUsd: 0n, chargedMicroUsd: 14_000n });
  t.is(account.voucher?.signature, charge.signature);
  t.like(await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd: 14_000n })), { state: 'exceeds_balance' });
  t.deepEqual((await ledger.audit()).violations, []);
});

test('a partial refund leaves the rest', async (t) => {
  const ledger = await openLedger(t, redis);
  const channelId = newChannel();
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 1n });
  const hold = newHold({ channelId, amountMicroUsd: 40_000n });
  t.like(await ledger.holdRefund(hold), { state: 'reserved', amountMicroUsd: 40_000n });
  const refundId = hold.reservationId;
  t.is((await ledger.fund({ channelId, usableMicroUsd: 60_000n, block: 2n, refundId })).balanceMicroUsd, 60_000n);
  t.like(await ledger.holdRefund(newHold({ channelId, amountMicroUsd: 60_001n })), { state: 'exceeds_balance' });
});

test('channels use no budget of trials, and a voided call gives none back', async (t) => {
  const ledger = await openLedger(t, { ...redis, dailyBudgetMicroUsd: 14_000n });
  const { channelId } = newCharge();
  await ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 1n });
  const charge = newCharge({ channelId });
  t.is((await ledger.charge(charge)).state, 'reserved');
  t.is((await ledger.budget()).remainingMicroUsd, 14_000n);
  await ledger.void(charge.reservationId, 'operation_failed');
  t.is((await ledger.budget()).remainingMicroUsd, 14_000n);
  t.is((await ledger.reserve(newReservation())).state, 'reserved');
});

test('calls of many channels at once are decided one by one', async (t) => {
  const ledger = await openLedger(t, redis);
  const charges = Array.from({ length: 150 }, () => newCharge());
  const { channelId } = newCharge();
  await Promise.all(
    [...charges, { channelId }].map((charge) =>
      ledger.fund({ channelId: charge.channelId, usableMicroUsd: DEPOSIT, block: 1n }),
    ),
  );
  const rivals = Array.from({ length: 50 }, () => newCharge({ channelId }));
  const outcomes = await Promise.all([...charges, ...rivals].map((charge) => ledger.charge(charge)));
  const reserved = outcomes.filter(({ state }) => state === 'reserved').length;
  t.is(reserved, charges.length + 1);
  t.is(outcomes.filter(({ state }) => state === 'channel_busy').length, rivals.length - 1);
  await Promise.all(charges.map(({ reservationId }) => ledger.post(reservationId)));
  const audit = await ledger.audit();
  t.deepEqual(audit.violations, []);
  t.is(audit.pending, 1);
});

test('an overdue call is listed with its channel, however many refunds are open', async (t) => {
  const ledger = await openLedger(t, { ...redis, now: () => 1_000_000 });
  // More than one page of the set of pending reservations.
  const holds = Array.from({ length: 501 }, () => newHold({ channelId: newChannel(), deadlineMs: 1_000_100 }));
  const charge = newCharge({ deadlineMs: 1_000_200 });
  const ids = [...holds, charge].map(({ channelId }) => channelId);
  await Promise.all(ids.map((channelId) => ledger.fund({ channelId, usableMicroUsd: DEPOSIT, block: 1n })));
  await Promise.all([...holds.map((hold) => ledger.holdRefund(hold)), ledger.charge(charge)]);
  const overdue = (limit: number, of: 'calls' | 'refunds') => ledger.overdue({ graceMs: -1000, limit, of });
  const calls = await overdue(10, 'calls');
  t.is(calls.length, 1);
  t.like(calls[0], { reservationId: charge.reservationId, wallet: charge.channelId, operation: 'geocode' });
  t.is((await overdue(10, 'refunds')).length, 10);
  t.is((await overdue(1000, 'refunds')).length, 501);
});

const WRONG = [
  ['a channel in upper case', { channelId: newChannel().toUpperCase() }],
  ['a short channel', { channelId: '0x12' }],
  ['an amount of 0', { amountMicroUsd: 0n, cumulativeMicroUsd: 0n }],
  ['an amount beyond exact numbers', { amountMicroUsd: 2n ** 53n }],
  ['a cumulative amount beyond exact numbers', { cumulativeMicroUsd: 2n ** 53n }],
  ['a short signature', { signature: '0x00' }],
  ['a signature with a separator', { signature: `${newSignature().slice(0, -1)}|` }],
  ['a fingerprint of another length', { fingerprint: 'ab' }],
  ['a holder of another length', { holder: 'ab' }],
  ['the operation of a refund', { operation: 'channel-refund' }],
] as const;

test('arguments of another form are refused before Redis', async (t) => {
  const ledger = await openLedger(t, redis);
  for (const [title, given] of WRONG) {
    await t.throwsAsync(ledger.charge(newCharge(given)), { instanceOf: RangeError }, title);
  }
  const channelId = newChannel();
  await t.throwsAsync(ledger.fund({ channelId, usableMicroUsd: -1n, block: 1n }), { instanceOf: RangeError });
  await t.throwsAsync(ledger.channels(['0x']), { instanceOf: RangeError });
  t.deepEqual(await ledger.channels([]), []);
});

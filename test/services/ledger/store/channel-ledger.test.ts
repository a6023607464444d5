import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { newChannel, newCharge, newHold, newSignature } from '../channel-fixture.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const DEPOSIT = 100_000n;
const EXACT = { wallets: 0, channels: 1, pending: 0, violations: [] };

test('a call is charged once: reserved, posted, and the same voucher finds it', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  const { channelId } = charge;
  t.is((await ledger.charge(charge)).state, 'channel_not_found');
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  const reserved = await ledger.charge(charge);
  t.like(reserved, { state: 'reserved', account: { balanceMicroUsd: 86_000n, reservedMicroUsd: 14_000n } });
  // A retry has the first outcome, and another call of the channel must wait.
  t.is((await ledger.charge(charge)).state, 'reserved');
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'channel_busy');
  t.deepEqual(await ledger.post(newAnswer(charge)), { state: 'posted', balanceMicroUsd: undefined });
  t.is((await ledger.charge(charge)).state, 'posted');

  const again = await ledger.charge({ ...charge, reservationId: uuidv7() });
  t.like(again, { state: 'repeated', repeatedId: charge.reservationId });
  t.like(again.account, {
    fundedMicroUsd: DEPOSIT,
    balanceMicroUsd: 86_000n,
    reservedMicroUsd: 0n,
    chargedMicroUsd: 14_000n,
    voucher: { cumulativeMicroUsd: 14_000n, signature: charge.signature },
  });
  const [body] = await ledger.query('SELECT access, operation FROM retained_body WHERE record_id = $1', [
    charge.reservationId,
  ]);
  t.deepEqual(body, { access: 'channel', operation: 'geocode' });
  t.deepEqual(await ledger.audit(), EXACT);
});

test('the signature of a voucher is stored sealed, and bound to its channel', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [one, other] = [newCharge(), newCharge()];
  for (const charge of [one, other]) {
    await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
    await ledger.charge(charge);
    await ledger.post(newAnswer(charge));
  }
  const [{ signature } = {}] = await ledger.query('SELECT signature FROM ledger.channel WHERE id = $1', [
    one.channelId,
  ]);
  t.false(Buffer.from(signature as Buffer).includes(Buffer.from(one.signature.slice(2), 'hex')));
  await ledger.query('UPDATE ledger.channel SET signature = $2 WHERE id = $1', [other.channelId, signature]);
  const [swapped] = await ledger.channels([other.channelId]);
  t.throws(() => swapped?.voucher?.signature, { message: /authenticate|Unsupported/ });
});

test('a used voucher is not the payment of another request, nor of another holder', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  const { fingerprint, holder } = newCharge();
  const { holder: _, ...unheld } = charge;
  const signature = newSignature();
  for (const other of [
    { ...charge, fingerprint },
    { ...charge, ...(holder && { holder }) },
    unheld,
    { ...charge, signature },
  ]) {
    const outcome = await ledger.charge({ ...other, reservationId: uuidv7() });
    t.is(outcome.state, 'cumulative_mismatch');
    t.is(outcome.account.voucher?.signature, charge.signature);
  }
  t.is((await ledger.channels([channelId]))[0]?.chargedMicroUsd, 14_000n);
});

test('only the exact next amount is accepted, within what the contract holds', async (t) => {
  const ledger = openTrialLedger(t, database);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: 20_000n });
  const stateOf = async (cumulativeMicroUsd: bigint, amountMicroUsd = 14_000n) =>
    (await ledger.charge(newCharge({ channelId, cumulativeMicroUsd, amountMicroUsd }))).state;
  t.is(await stateOf(14_001n), 'cumulative_mismatch');
  t.is(await stateOf(28_000n), 'cumulative_mismatch');
  t.is(await stateOf(20_001n, 20_001n), 'exceeds_balance');
  const late = newCharge({ channelId, deadlineMs: Date.now() - 60_000 });
  t.is((await ledger.charge(late)).state, 'deadline_passed');
  t.is(await stateOf(20_000n, 20_000n), 'reserved');
});

test('credit follows the contract, and charges stay', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  // The deposit is gone, as after a reorganization.
  await ledger.show(channelId, { balanceMicroUsd: 0n });
  t.like((await ledger.channels([channelId]))[0], {
    fundedMicroUsd: 14_000n,
    balanceMicroUsd: 0n,
    chargedMicroUsd: 14_000n,
  });
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 28_000n }))).state, 'exceeds_balance');
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, withdrawMicroUsd: 80_000n });
  t.is((await ledger.channels([channelId]))[0]?.balanceMicroUsd, 6000n);
  await ledger.show(channelId, { balanceMicroUsd: 2n ** 60n });
  t.is((await ledger.channels([channelId]))[0]?.fundedMicroUsd, 2n ** 53n - 1n);
  t.deepEqual(await ledger.audit(), EXACT);
});

test('a call that is voided after a withdrawal began frees nothing that the payer can withdraw', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.show(channelId, { balanceMicroUsd: 14_000n });
  await ledger.charge(charge);
  await ledger.show(channelId, { balanceMicroUsd: 14_000n, withdrawMicroUsd: 14_000n });
  await ledger.void(charge.reservationId, 'operation_failed');
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'exceeds_balance');
});

test('a refund is held until the contract has paid it, and its end frees nothing in between', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = newCharge();
  const { channelId } = charge;
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.charge(charge);
  await ledger.post(newAnswer(charge));
  const hold = newHold({ channelId, cumulativeMicroUsd: 14_000n });
  t.like(await ledger.holdRefund({ ...hold, cumulativeMicroUsd: 0n }), { state: 'cumulative_mismatch' });
  const held = await ledger.holdRefund(hold);
  // The refund claims the charges with this voucher.
  const voucher = { cumulativeMicroUsd: 14_000n, signature: charge.signature };
  t.like(held, { state: 'reserved', amountMicroUsd: 86_000n, account: { chargedMicroUsd: 14_000n, voucher } });
  t.like((await ledger.channels([channelId]))[0], { reservedMicroUsd: 86_000n, voucher });
  t.like(await ledger.charge({ ...charge, reservationId: uuidv7() }), { state: 'repeated' });
  t.is((await ledger.charge(newCharge({ channelId, cumulativeMicroUsd: 28_000n }))).state, 'channel_busy');
  t.is((await ledger.post(newAnswer(hold))).state, 'unknown');
  // The contract shows it before it is voided.
  await ledger.show(channelId, { balanceMicroUsd: 14_000n });
  t.is((await ledger.void(hold.reservationId, 'operation_failed')).state, 'voided');
  const [account] = await ledger.channels([channelId]);
  t.like(account, { fundedMicroUsd: 14_000n, balanceMicroUsd: 0n, reservedMicroUsd: 0n, chargedMicroUsd: 14_000n });
  t.is(account?.voucher?.signature, charge.signature);
  t.like(await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd: 14_000n })), { state: 'exceeds_balance' });
  t.deepEqual(await ledger.audit(), EXACT);
});

test('a voucher that anyone may have shows nothing, and gets no refund', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [first, second] = [newCharge(), newCharge({ cumulativeMicroUsd: 28_000n })];
  const { channelId } = first;
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  for (const charge of [first, { ...second, channelId }]) {
    await ledger.charge(charge);
    await ledger.post(newAnswer(charge));
  }
  const ask = async (cumulativeMicroUsd: bigint) => [
    (await ledger.charge(newCharge({ channelId, cumulativeMicroUsd }))).state,
    (await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd }))).state,
  ];
  const publish = (signed: bigint) =>
    ledger.query('UPDATE ledger.channel SET published = $2 WHERE id = $1', [channelId, signed]);
  // The claim is started.
  await publish(14_000n);
  t.deepEqual(await ask(14_000n), ['cumulative_below_claimed', 'cumulative_below_claimed']);
  // The latest one is claimed: a withdrawal was started.
  await publish(28_000n);
  for (const earlier of [14_000n, 28_000n])
    t.deepEqual(await ask(earlier), ['cumulative_below_claimed', 'cumulative_below_claimed']);
  // The contract shows the claim, and a restored database does not.
  await publish(0n);
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  t.deepEqual(await ask(14_000n), ['cumulative_below_claimed', 'cumulative_below_claimed']);
  const { signature: _, ...ofOperator } = newHold({ channelId, cumulativeMicroUsd: 28_000n });
  t.like(await ledger.holdRefund(ofOperator), { state: 'reserved', amountMicroUsd: 72_000n });
  await ledger.void(ofOperator.reservationId, 'operation_failed');
  // Everything was refunded, as the contract shows.
  await ledger.show(channelId, { balanceMicroUsd: 28_000n, claimedMicroUsd: 28_000n });
  t.deepEqual(await ask(28_000n), ['exceeds_balance', 'exceeds_balance']);
});

test('channels use no budget of trials, and a voided call gives none back', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { dailyBudgetMicroUsd: 14_000n } });
  const charge = newCharge();
  await ledger.show(charge.channelId, { balanceMicroUsd: DEPOSIT });
  t.is((await ledger.charge(charge)).state, 'reserved');
  t.is((await ledger.budget()).remainingMicroUsd, 14_000n);
  await ledger.void(charge.reservationId, 'operation_failed');
  t.is((await ledger.budget()).remainingMicroUsd, 14_000n);
  t.is((await ledger.reserve(newTrial())).state, 'reserved');
});

test('calls of many channels at once, through two gateways, are decided one by one', async (t) => {
  const one = openTrialLedger(t, database);
  const two = openTrialLedger(t, database, { network: one.network });
  const charges = Array.from({ length: 150 }, () => newCharge());
  const channelId = newChannel();
  for (const each of [...charges, { channelId }]) await one.show(each.channelId, { balanceMicroUsd: DEPOSIT });
  const rivals = Array.from({ length: 50 }, () => newCharge({ channelId }));
  const outcomes = await Promise.all(
    [...charges, ...rivals].map((charge, at) => (at % 2 === 0 ? one : two).charge(charge)),
  );
  t.is(outcomes.filter(({ state }) => state === 'reserved').length, charges.length + 1);
  t.is(outcomes.filter(({ state }) => state === 'channel_busy').length, rivals.length - 1);
  await Promise.all(charges.map((charge) => two.post(newAnswer(charge))));
  t.deepEqual(await one.audit(), { wallets: 0, channels: 151, pending: 1, violations: [] });
});

test('a sweep voids calls past their deadline, and never a refund', async (t) => {
  const ledger = openTrialLedger(t, database);
  const nowMs = Date.now();
  await ledger.setClock(nowMs);
  const [charge, hold] = [
    newCharge({ deadlineMs: nowMs + 100 }),
    newHold({ channelId: newChannel(), deadlineMs: nowMs + 50 }),
  ];
  for (const { channelId } of [charge, hold]) await ledger.show(channelId, { balanceMicroUsd: DEPOSIT });
  await ledger.charge(charge);
  await ledger.holdRefund(hold);
  await ledger.setClock(nowMs + 10_000);
  const [overdue] = await ledger.overdue({ graceMs: 1000, limit: 10, of: 'refunds' });
  t.like(overdue, { reservationId: hold.reservationId, wallet: hold.channelId, amountMicroUsd: DEPOSIT });
  t.deepEqual(await ledger.sweep({ graceMs: 1000, limit: 10 }), { voided: 1, busy: 0 });
  t.is((await ledger.channels([hold.channelId]))[0]?.reservedMicroUsd, DEPOSIT);
  t.is((await ledger.post(newAnswer(charge))).state, 'unknown');
});

test('arguments at their bounds are asked', async (t) => {
  const ledger = openTrialLedger(t, database);
  const most = 2n ** 53n - 1n;
  for (const given of [
    { amountMicroUsd: 1n },
    { amountMicroUsd: most },
    { cumulativeMicroUsd: 0n },
    { cumulativeMicroUsd: most },
  ]) {
    const { state } = await ledger.charge(newCharge(given));
    t.not(state, 'reserved', 'nothing is deposited');
  }
});

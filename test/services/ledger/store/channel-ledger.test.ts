import test from 'ava';
import { v7 as uuidv7 } from 'uuid';
import { newChannel, newCharge, newHold, newSignature } from '../channel-fixture.ts';
import { DEPOSIT, fundedCall, paidCall, pay } from './ledger-steps.ts';
import { createLedgerDatabase, newAnswer, newTrial, openTrialLedger } from './store-fixture.ts';

const database = await createLedgerDatabase();
test.after.always(() => database.stop());

const EXACT = { wallets: 0, channels: 1, pending: 0, violations: [] };

test('a call is charged once: reserved, posted, and the same voucher finds it', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await fundedCall(ledger);
  const { channelId, reservationId } = charge;
  t.like(await ledger.charge(charge), {
    state: 'reserved',
    account: { balanceMicroUsd: 86_000n, reservedMicroUsd: 14_000n },
  });
  t.is((await ledger.charge(newCharge({ channelId }))).state, 'channel_busy');
  t.deepEqual(await ledger.post(newAnswer(charge)), { state: 'posted', balanceMicroUsd: undefined });
  t.like(await ledger.charge({ ...charge, reservationId: uuidv7() }), {
    state: 'repeated',
    repeatedId: reservationId,
    account: {
      fundedMicroUsd: DEPOSIT,
      balanceMicroUsd: 86_000n,
      reservedMicroUsd: 0n,
      chargedMicroUsd: 14_000n,
      voucher: { cumulativeMicroUsd: 14_000n, signature: charge.signature },
    },
  });
  const bodies = 'SELECT access, operation FROM retained_body WHERE record_id = $1';
  t.deepEqual(await ledger.query(bodies, [reservationId]), [{ access: 'channel', operation: 'geocode' }]);
  t.deepEqual(await ledger.audit(), EXACT);
});

test('the signature of a voucher is stored sealed, and bound to its channel', async (t) => {
  const ledger = openTrialLedger(t, database);
  const [one, other] = [await paidCall(ledger), await paidCall(ledger)];
  const read = 'SELECT signature FROM ledger.channel WHERE id = $1';
  const [{ signature } = {}] = await ledger.query(read, [one.channelId]);
  t.false(Buffer.from(signature as Buffer).includes(Buffer.from(one.signature.slice(2), 'hex')));
  await ledger.query('UPDATE ledger.channel SET signature = $2 WHERE id = $1', [other.channelId, signature]);
  const [swapped] = await ledger.channels([other.channelId]);
  t.throws(() => swapped?.voucher?.signature, { message: /authenticate|Unsupported/ });
});

test('a used voucher is not the payment of another request, nor of another holder', async (t) => {
  const ledger = openTrialLedger(t, database);
  const charge = await paidCall(ledger);
  const { fingerprint, holder } = newCharge();
  const { holder: _, ...unheld } = charge;
  for (const other of [
    { ...charge, fingerprint },
    { ...charge, ...(holder && { holder }) },
    unheld,
    { ...charge, signature: newSignature() },
  ]) {
    const outcome = await ledger.charge({ ...other, reservationId: uuidv7() });
    t.is(outcome.state, 'cumulative_mismatch');
    t.is(outcome.account.voucher?.signature, charge.signature);
  }
  t.is((await ledger.channels([charge.channelId]))[0]?.chargedMicroUsd, 14_000n);
});

test('only the exact next amount is accepted, in time, and within what the contract holds', async (t) => {
  const ledger = openTrialLedger(t, database);
  const channelId = newChannel();
  await ledger.show(channelId, { balanceMicroUsd: 20_000n });
  for (const [cumulativeMicroUsd, amountMicroUsd, state, leftMs] of [
    [14_001n, 14_000n, 'cumulative_mismatch', 30_000],
    [28_000n, 14_000n, 'cumulative_mismatch', 30_000],
    [20_001n, 20_001n, 'exceeds_balance', 30_000],
    [14_000n, 14_000n, 'deadline_passed', -60_000],
    [20_000n, 20_000n, 'reserved', 30_000],
  ] as const) {
    const charge = newCharge({ channelId, cumulativeMicroUsd, amountMicroUsd, deadlineMs: Date.now() + leftMs });
    t.is((await ledger.charge(charge)).state, state, `${cumulativeMicroUsd} for ${amountMicroUsd}`);
  }
});

test('credit is what the contract holds without what the payer withdraws, and at most 2^53', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { channelId } = await paidCall(ledger);
  for (const [balanceMicroUsd, withdrawMicroUsd, fundedMicroUsd, credit] of [
    [DEPOSIT, 80_000n, 20_000n, 6000n],
    // A withdrawal of more than the contract holds leaves nothing, and not less.
    [14_000n, 20_000n, 14_000n, 0n],
    [2n ** 60n, undefined, 2n ** 53n - 1n, 2n ** 53n - 14_001n],
  ] as const) {
    await ledger.show(channelId, { balanceMicroUsd, ...(withdrawMicroUsd && { withdrawMicroUsd }) });
    t.like((await ledger.channels([channelId]))[0], { fundedMicroUsd, balanceMicroUsd: credit });
  }
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
  const charge = await paidCall(ledger);
  const { channelId } = charge;
  const hold = newHold({ channelId, cumulativeMicroUsd: 14_000n });
  // The refund claims the charges with this voucher.
  const voucher = { cumulativeMicroUsd: 14_000n, signature: charge.signature };
  const account = { chargedMicroUsd: 14_000n, voucher };
  t.like(await ledger.holdRefund(hold), { state: 'reserved', amountMicroUsd: 86_000n, account });
  t.like((await ledger.channels([channelId]))[0], { reservedMicroUsd: 86_000n, voucher });
  t.like(await ledger.charge({ ...charge, reservationId: uuidv7() }), { state: 'repeated' });
  // The contract shows it before it is voided.
  await ledger.show(channelId, { balanceMicroUsd: 14_000n });
  t.is((await ledger.void(hold.reservationId, 'operation_failed')).state, 'voided');
  const left = { fundedMicroUsd: 14_000n, balanceMicroUsd: 0n, reservedMicroUsd: 0n };
  t.like((await ledger.channels([channelId]))[0], { ...left, ...account });
  t.like(await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd: 14_000n })), { state: 'exceeds_balance' });
  t.deepEqual(await ledger.audit(), EXACT);
});

test('who has a voucher from the chain learns nothing of the channel, and an operator gets its refund', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { channelId } = await paidCall(ledger);
  const next = newCharge({ channelId, cumulativeMicroUsd: 28_000n });
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 14_000n });
  const ask = async () => [
    (await ledger.charge(newCharge({ channelId }))).state,
    (await ledger.holdRefund(newHold({ channelId, cumulativeMicroUsd: 14_000n }))).state,
  ];
  const denied = ['cumulative_below_claimed', 'cumulative_below_claimed'];
  t.deepEqual(await ask(), denied, 'idle');
  await ledger.charge(next);
  t.deepEqual(await ask(), denied, 'in a call');
  await ledger.post(newAnswer(next));
  t.deepEqual(await ask(), denied, 'charged since');
  await ledger.show(channelId, { balanceMicroUsd: DEPOSIT, claimedMicroUsd: 28_000n });
  const { signature: _, ...ofOperator } = newHold({ channelId, cumulativeMicroUsd: 28_000n });
  t.like(await ledger.holdRefund(ofOperator), { state: 'reserved', amountMicroUsd: 72_000n });
});

test('channels use no budget of trials, and a voided call gives none back', async (t) => {
  const ledger = openTrialLedger(t, database, { terms: { dailyBudgetMicroUsd: 14_000n } });
  const charge = await fundedCall(ledger);
  await ledger.charge(charge);
  t.is((await ledger.budget()).remainingMicroUsd, 14_000n);
  await ledger.void(charge.reservationId, 'operation_failed');
  t.is((await ledger.budget()).remainingMicroUsd, 14_000n);
  t.is((await ledger.reserve(newTrial())).state, 'reserved');
});

test('calls of many channels at once, through two gateways, are decided one by one', async (t) => {
  const one = openTrialLedger(t, database);
  const two = openTrialLedger(t, database, { network: one.network });
  const charges = await Promise.all(Array.from({ length: 150 }, () => fundedCall(one)));
  const { channelId } = await fundedCall(one);
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
  const charge = await fundedCall(ledger, { deadlineMs: nowMs + 100 });
  const { channelId } = await fundedCall(ledger);
  const hold = newHold({ channelId, deadlineMs: nowMs + 50 });
  await ledger.charge(charge);
  await ledger.holdRefund(hold);
  await ledger.setClock(nowMs + 10_000);
  const [overdue] = await ledger.overdue({ graceMs: 1000, limit: 10, of: 'refunds' });
  t.like(overdue, { reservationId: hold.reservationId, wallet: channelId, amountMicroUsd: DEPOSIT });
  t.deepEqual(await ledger.sweep({ graceMs: 1000, limit: 10 }), { voided: 1, busy: 0 });
  t.is((await ledger.channels([channelId]))[0]?.reservedMicroUsd, DEPOSIT);
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
  ])
    t.is((await ledger.charge(newCharge(given))).state, 'channel_not_found');
});

test('what a voucher replaces is claimed, and a repeat changes none of it', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { channelId, reservationId } = await fundedCall(ledger);
  const read = `SELECT signed, claimable, claimable_signature IS DISTINCT FROM signature AS differs,
    unclaimed_since = (SELECT min(e.at) FROM ledger.entry e WHERE e.account = c.id AND e.id <> $2) AS since
    FROM ledger.channel c WHERE c.id = $1`;
  for (const [cumulativeMicroUsd, claimable, id] of [
    [14_000n, 0n, reservationId],
    [28_000n, 14_000n, uuidv7()],
    [42_000n, 28_000n, uuidv7()],
  ] as const) {
    await pay(ledger, newCharge({ channelId, cumulativeMicroUsd, reservationId: id }));
    t.deepEqual(await ledger.query(read, [channelId, reservationId]), [
      { signed: cumulativeMicroUsd, claimable, differs: true, since: claimable > 0n || null },
    ]);
  }
});

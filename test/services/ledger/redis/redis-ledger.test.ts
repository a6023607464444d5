import test from 'ava';
import { createClient } from 'redis';
import { v7 as uuidv7 } from 'uuid';
import { startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { newNetwork, newReservation, newWallet, openLedger } from '../fixture.ts';

const DAY_MS = 86_400_000;

const redis = await startLedgerRedis();
test.after.always(() => redis.remove());

test('a reservation sets the price aside and a post spends it', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  t.like(await ledger.reserve(reservation), { state: 'reserved', balanceMicroUsd: 36_000n });
  t.deepEqual(await ledger.post(reservation.reservationId), { state: 'posted', balanceMicroUsd: 36_000n });
  t.is(await ledger.balance(reservation.wallet), 36_000n);
});

test('a void returns the price to the wallet and to the daily budget', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  t.is((await ledger.budget()).remainingMicroUsd, 4_986_000n);
  t.deepEqual(await ledger.void(reservation.reservationId, 'retain_failed'), {
    state: 'voided',
    balanceMicroUsd: 50_000n,
  });
  t.is((await ledger.budget()).remainingMicroUsd, 5_000_000n);
});

test('the first resolution of a reservation is final', async (t) => {
  const ledger = await openLedger(t, redis);
  const [posted, voided] = [newReservation(), newReservation()];
  await ledger.reserve(posted);
  await ledger.reserve(voided);
  await ledger.post(posted.reservationId);
  await ledger.void(voided.reservationId, 'swept');
  t.is((await ledger.void(posted.reservationId, 'swept')).state, 'posted');
  t.is((await ledger.post(voided.reservationId)).state, 'voided');
  t.is((await ledger.reserve(voided)).state, 'voided');
  t.is(await ledger.balance(posted.wallet), 36_000n);
});

test('a repeated reserve returns its first outcome and reserves nothing more', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  const first = await ledger.reserve(reservation);
  t.deepEqual(await ledger.reserve(reservation), first);
  t.is(await ledger.balance(reservation.wallet), 36_000n);
});

test('a denied reserve stays denied, even when the wallet has credit again', async (t) => {
  const ledger = await openLedger(t, redis);
  const wallet = newWallet();
  const first = newReservation({ wallet, amountMicroUsd: 50_000n });
  const second = newReservation({ wallet });
  await ledger.reserve(first);
  t.deepEqual(await ledger.reserve(second), { state: 'insufficient_balance', balanceMicroUsd: 0n });
  await ledger.void(first.reservationId, 'retain_failed');
  t.deepEqual(await ledger.reserve(second), { state: 'insufficient_balance', balanceMicroUsd: 0n });
});

test('a nonce that another reservation used is nonce_replayed, for every wallet', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  t.is((await ledger.reserve({ ...reservation, reservationId: uuidv7() })).state, 'nonce_replayed');
  t.is((await ledger.reserve(newReservation({ nonce: reservation.nonce }))).state, 'nonce_replayed');
});

test('a reservation id cannot be used for another reservation', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  await t.throwsAsync(ledger.reserve({ ...reservation, amountMicroUsd: 1n }), { message: /belongs to another/ });
});

test('an address in upper case is the same wallet', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  const again = newReservation({ wallet: `0x${reservation.wallet.slice(2).toUpperCase()}` });
  t.like(await ledger.reserve(again), { state: 'reserved', balanceMicroUsd: 22_000n });
});

test('a reserve that arrives after its void is voided', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  t.deepEqual(await ledger.void(reservation.reservationId, 'cancelled'), {
    state: 'voided',
    balanceMicroUsd: undefined,
  });
  t.deepEqual(await ledger.reserve(reservation), { state: 'voided', balanceMicroUsd: 50_000n });
  t.is((await ledger.post(reservation.reservationId)).state, 'voided');
});

test('a post of an id that was never reserved is unknown', async (t) => {
  const ledger = await openLedger(t, redis);
  t.deepEqual(await ledger.post(uuidv7()), { state: 'unknown', balanceMicroUsd: undefined });
});

test('a reserve after its deadline or expiration is refused and burns no nonce', async (t) => {
  const ledger = await openLedger(t, redis);
  const reservation = newReservation();
  t.is((await ledger.reserve({ ...reservation, deadlineMs: Date.now() - 1 })).state, 'deadline_passed');
  t.is((await ledger.reserve({ ...reservation, expirationTimeMs: Date.now() - 1 })).state, 'expired');
  t.is((await ledger.reserve(reservation)).state, 'reserved');
});

test('a wallet that cannot cover the price keeps its balance', async (t) => {
  const ledger = await openLedger(t, redis);
  const wallet = newWallet();
  await ledger.reserve(newReservation({ wallet, amountMicroUsd: 49_999n }));
  t.deepEqual(await ledger.reserve(newReservation({ wallet })), { state: 'insufficient_balance', balanceMicroUsd: 1n });
});

test('a denial of an unknown wallet stores only its burnt nonce', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network, dailyBudgetMicroUsd: 13_999n });
  const reservation = newReservation();
  t.deepEqual(await ledger.reserve(reservation), { state: 'daily_budget_exhausted', balanceMicroUsd: 50_000n });
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  const prefix = `tollhouse:{${network}}:`;
  t.deepEqual((await client.keys(`${prefix}*`)).filter((key) => !key.includes(':lock:')).sort(), [
    `${prefix}meta`,
    `${prefix}nonce:${reservation.nonce}`,
  ]);
});

test('a reserve counts against the budget of its UTC day, which is full again after midnight', async (t) => {
  let nowMs = Date.UTC(2030, 0, 1, 23, 59, 59);
  const ledger = await openLedger(t, { ...redis, dailyBudgetMicroUsd: 14_000n, now: () => nowMs });
  const times = () => ({ expirationTimeMs: nowMs + 300_000, deadlineMs: nowMs + 30_000 });
  const first = newReservation(times());
  t.is((await ledger.reserve(first)).state, 'reserved');
  t.is((await ledger.reserve(newReservation(times()))).state, 'daily_budget_exhausted');
  nowMs += 2000;
  t.deepEqual(await ledger.budget(), { dayUtc: '2030-01-02', remainingMicroUsd: 14_000n });
  t.is((await ledger.reserve(newReservation(times()))).state, 'reserved');
  await ledger.void(first.reservationId, 'swept');
  t.deepEqual(await ledger.budget(), { dayUtc: '2030-01-02', remainingMicroUsd: 0n });
});

test('new grants of one IP network are limited, and wallets with a grant are not affected', async (t) => {
  const ledger = await openLedger(t, { ...redis, grantsPerScope: 2 });
  const grantScope = '203.0.113.0/24';
  const known = newWallet();
  t.is((await ledger.reserve(newReservation({ wallet: known, grantScope }))).state, 'reserved');
  t.is((await ledger.reserve(newReservation({ grantScope }))).state, 'reserved');
  t.deepEqual(await ledger.reserve(newReservation({ grantScope })), {
    state: 'grants_exhausted',
    balanceMicroUsd: 50_000n,
  });
  t.is((await ledger.reserve(newReservation({ wallet: known, grantScope }))).state, 'reserved');
  t.is((await ledger.reserve(newReservation({ grantScope: '198.51.100.0/24' }))).state, 'reserved');
});

test('five failures that the caller caused throttle a wallet for an hour', async (t) => {
  let nowMs = Date.UTC(2030, 5, 1, 12);
  const ledger = await openLedger(t, { ...redis, now: () => nowMs });
  const wallet = newWallet();
  const next = () => newReservation({ wallet, expirationTimeMs: nowMs + 300_000, deadlineMs: nowMs + 30_000 });
  for (let failures = 0; failures < 5; failures += 1) {
    const reservation = next();
    t.is((await ledger.reserve(reservation)).state, 'reserved');
    await ledger.void(reservation.reservationId, 'caller_failed');
  }
  t.deepEqual(await ledger.reserve(next()), { state: 'throttled', balanceMicroUsd: 50_000n });
  nowMs += 3_600_000;
  t.is((await ledger.reserve(next())).state, 'reserved');
});

test('failures that the caller did not cause throttle nobody, and the journal replays', async (t) => {
  const ledger = await openLedger(t, redis);
  const wallet = newWallet();
  for (const reason of ['operation_failed', 'retain_failed', 'cancelled', 'swept', 'operation_failed'] as const) {
    const reservation = newReservation({ wallet });
    await ledger.reserve(reservation);
    await ledger.void(reservation.reservationId, reason);
  }
  t.is((await ledger.reserve(newReservation({ wallet }))).state, 'reserved');
  t.deepEqual((await ledger.audit()).violations, []);
});

test('overdue reservations are listed with the fields that a sweep needs, oldest first', async (t) => {
  let nowMs = Date.UTC(2030, 0, 1);
  const ledger = await openLedger(t, { ...redis, now: () => nowMs });
  const at = (deadlineMs: number) => newReservation({ deadlineMs, expirationTimeMs: nowMs + 300_000 });
  const [late, early, posted] = [at(nowMs + 2000), at(nowMs + 1000), at(nowMs + 500)];
  for (const reservation of [late, early, posted]) await ledger.reserve(reservation);
  await ledger.post(posted.reservationId);
  nowMs += 10_000;
  t.deepEqual(await ledger.overdue({ graceMs: 9500, limit: 10, of: 'calls' }), []);
  const found = await ledger.overdue({ graceMs: 1000, limit: 10, of: 'calls' });
  t.deepEqual(found[0], {
    reservationId: early.reservationId,
    wallet: early.wallet,
    operation: 'geocode',
    amountMicroUsd: 14_000n,
    deadlineMs: early.deadlineMs,
  });
  t.is(found[1]?.reservationId, late.reservationId);
  t.is((await ledger.overdue({ graceMs: 1000, limit: 1, of: 'calls' })).length, 1);
});

test('Redis keeps a resolved reservation for a day, and a nonce for as long as its challenge', async (t) => {
  const network = newNetwork();
  const ledger = await openLedger(t, { ...redis, network });
  const reservation = newReservation();
  await ledger.reserve(reservation);
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  const prefix = `tollhouse:{${network}}:`;
  t.is(await client.pTTL(`${prefix}reservation:${reservation.reservationId}`), -1);
  await ledger.post(reservation.reservationId);
  t.true((await client.pTTL(`${prefix}reservation:${reservation.reservationId}`)) > DAY_MS - 60_000);
  const nonceTtlMs = await client.pTTL(`${prefix}nonce:${reservation.nonce}`);
  t.true(nonceTtlMs > 360_000 && nonceTtlMs <= 420_000);
});

test('a ledger does not know the credit of another network', async (t) => {
  const here = await openLedger(t, redis);
  const there = await openLedger(t, redis);
  const reservation = newReservation();
  await here.reserve(reservation);
  t.is(await there.balance(reservation.wallet), 50_000n);
  t.is((await there.post(reservation.reservationId)).state, 'unknown');
});

test('amounts are exact up to 2^53', async (t) => {
  const grantMicroUsd = 2n ** 53n - 1n;
  const ledger = await openLedger(t, { ...redis, grantMicroUsd, dailyBudgetMicroUsd: grantMicroUsd });
  const reservation = newReservation({ amountMicroUsd: grantMicroUsd - 1n });
  t.like(await ledger.reserve(reservation), { state: 'reserved', balanceMicroUsd: 1n });
  t.is((await ledger.void(reservation.reservationId, 'swept')).balanceMicroUsd, grantMicroUsd);
  t.deepEqual((await ledger.audit()).violations, []);
});

test('refuses an amount that is not positive or exceeds 2^53 - 1', async (t) => {
  const ledger = await openLedger(t, redis);
  for (const amountMicroUsd of [0n, -1n, 2n ** 53n]) {
    await t.throwsAsync(ledger.reserve(newReservation({ amountMicroUsd })), { instanceOf: RangeError });
  }
});

test('the figures have what is used of the day, and the open reservations with their sum and the oldest', async (t) => {
  const ledger = await openLedger(t, redis);
  t.like(await ledger.figures(), { usedMicroUsd: 0n, open: 0, reservedMicroUsd: 0n, oldestAtMs: undefined });
  const oldMs = Date.now() - 60_000;
  const old = newReservation({ reservationId: uuidv7({ msecs: oldMs }), deadlineMs: Date.now() + 60_000 });
  const posted = newReservation();
  await Promise.all([ledger.reserve(newReservation()), ledger.reserve(old), ledger.reserve(posted)]);
  await ledger.post(posted.reservationId);
  t.like(await ledger.figures(), {
    dayUtc: new Date(ledger.now()).toISOString().slice(0, 10),
    usedMicroUsd: 42_000n,
    open: 2,
    summed: 2,
    reservedMicroUsd: 28_000n,
    oldestAtMs: oldMs,
  });
});

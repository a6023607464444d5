import { readdirSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import type { Ledger, LedgerPosition } from '../../../../services/ledger/contract/ledger.ts';
import { SlowWitnessError } from '../../../../services/platform/redis/redis-guard.ts';
import { type LedgerRedis, startLedgerRedis } from '../../../helpers/ledger-redis.ts';
import { startRedisProxy } from '../../../helpers/redis-proxy.ts';
import { until } from '../../../helpers/until.ts';
import { newNetwork, newReservation, openLedger, throwsUnavailable } from '../fixture.ts';

/** Time limits for faults that last. They keep the tests short, and still allow for a busy machine. */
const IMPATIENT = { commandTimeoutMs: 600, answerWithinMs: 1800, lockWaitMs: 1200, checkEveryMs: 50 };

/** A lock has one answer, that of EVALSHA: the script is loaded once the first wallet was locked. */
const LOCK_ANSWERS = 1;

async function startRedisFor(t: ExecutionContext): Promise<LedgerRedis> {
  const redis = await startLedgerRedis();
  t.teardown(() => redis.remove());
  return redis;
}

async function openBehindProxy(t: ExecutionContext, options: { readonly checkEveryMs?: number } = {}) {
  const redis = await startRedisFor(t);
  const proxy = await startRedisProxy(redis.socketPath);
  t.teardown(() => proxy.close());
  const network = newNetwork();
  const direct = await openLedger(t, { url: redis.url, network });
  const ledger = await openLedger(t, { ...IMPATIENT, ...options, url: proxy.url, network });
  // On a busy machine, a check of a ledger with such short time limits may have failed.
  const isReady = async () => (await ledger.check()).ok;
  await until(isReady);
  const first = newReservation();
  await ledger.reserve(first);
  // Nobody waits for the answer to the release of the lock. The answer to this call comes after it.
  await ledger.balance(first.wallet);
  await until(isReady);
  return { proxy, direct, ledger };
}

const isOpen = (ledger: Ledger) => () => ledger.ready().ok;

test.serial('a Redis that is killed and restarted loses nothing', async (t) => {
  const redis = await startRedisFor(t);
  const ledger = await openLedger(t, { url: redis.url });
  const [posted, pending] = [newReservation(), newReservation()];
  for (const reservation of [posted, pending]) await ledger.reserve(reservation);
  await ledger.post(posted.reservationId);
  await redis.kill();
  await until(() => !ledger.ready().ok);
  await throwsUnavailable(t, ledger.reserve(newReservation()), 'not_ready');
  await redis.start();
  await until(isOpen(ledger));
  t.is(await ledger.balance(posted.wallet), 36_000n);
  t.is((await ledger.post(pending.reservationId)).state, 'posted');
  t.is((await ledger.reserve(newReservation({ nonce: posted.nonce }))).state, 'nonce_replayed');
  t.deepEqual((await ledger.audit()).violations, []);
});

test.serial('a Redis that is killed during traffic loses nothing that was answered', async (t) => {
  const redis = await startRedisFor(t);
  const ledger = await openLedger(t, { ...IMPATIENT, url: redis.url });
  const answered: string[] = [];
  let isKilled = false;
  const call = async () => {
    const reservation = newReservation();
    await ledger.reserve(reservation);
    if ((await ledger.post(reservation.reservationId)).state === 'posted') answered.push(reservation.wallet);
  };
  const traffic = Promise.all(
    Array.from({ length: 16 }, async () => {
      while (!isKilled) await call().catch(() => nextTurn());
    }),
  );
  await until(() => answered.length > 50);
  await redis.kill();
  isKilled = true;
  await traffic;
  await redis.start();
  await until(isOpen(ledger));
  for (const wallet of answered) t.is(await ledger.balance(wallet), 36_000n);
  t.deepEqual((await ledger.audit()).violations, []);
});

/** The append-only file that grows. Redis writes the base file only when it rewrites the log. */
function growingFile(redis: LedgerRedis): string {
  const folder = join(redis.dataDir, 'appendonlydir');
  const name = readdirSync(folder).find((file) => file.endsWith('.incr.aof'));
  if (name === undefined) throw new Error('no append-only file');
  return join(folder, name);
}

test.serial(
  'a Redis that lost its last writes closes the ledger, in the process that saw them and in a new one',
  async (t) => {
    const redis = await startRedisFor(t);
    const network = newNetwork();
    const ledger = await openLedger(t, { ...IMPATIENT, url: redis.url, network });
    await ledger.reserve(newReservation());
    const { size } = statSync(growingFile(redis));
    const lost = newReservation();
    const outcome = await ledger.reserve(lost);
    await redis.kill();
    truncateSync(growingFile(redis), size);
    await redis.start();
    await until(() => {
      const readiness = ledger.ready();
      return !readiness.ok && readiness.reason.startsWith('rolled_back');
    });
    await throwsUnavailable(t, ledger.reserve(newReservation()), 'not_ready');
    await throwsUnavailable(t, ledger.post(lost.reservationId), 'rolled_back');
    const attest = async (position: LedgerPosition) => (outcome.state === 'reserved' ? outcome.position : position);
    t.false((await openLedger(t, { url: redis.url, network, attest })).ready().ok);
  },
);

test.serial('a reserve with a lost answer is repeated and applied once', async (t) => {
  const { ledger, proxy, direct } = await openBehindProxy(t, { checkEveryMs: 60_000 });
  const reservation = newReservation();
  proxy.setMode('lose', LOCK_ANSWERS);
  const reserving = ledger.reserve(reservation);
  await until(() => proxy.withheld() > 0);
  t.is(await direct.balance(reservation.wallet), 36_000n);
  proxy.setMode('pass');
  t.like(await reserving, { state: 'reserved', balanceMicroUsd: 36_000n });
  t.is(await direct.balance(reservation.wallet), 36_000n);
});

test.serial('a reserve without an answer is uncertain, and a void of its id undoes it', async (t) => {
  const { ledger, proxy, direct } = await openBehindProxy(t, { checkEveryMs: 60_000 });
  const reservation = newReservation();
  proxy.setMode('hold', LOCK_ANSWERS);
  await throwsUnavailable(t, ledger.reserve(reservation), 'uncertain');
  t.is(await direct.balance(reservation.wallet), 36_000n);
  t.deepEqual(await direct.void(reservation.reservationId, 'cancelled'), { state: 'voided', balanceMicroUsd: 50_000n });
});

test.serial('a lost answer to a lock does not burn the nonce', async (t) => {
  const { ledger, proxy } = await openBehindProxy(t);
  const reservation = newReservation();
  proxy.setMode('lose');
  await throwsUnavailable(t, ledger.reserve(reservation), 'refused');
  proxy.setMode('pass');
  await until(isOpen(ledger));
  // The lost lock expires on its own.
  await until(async () => (await ledger.reserve(reservation).catch(() => undefined))?.state === 'reserved');
  t.is(await ledger.balance(reservation.wallet), 36_000n);
});

test.serial('a post with a lost answer is repeated until its outcome is known', async (t) => {
  const { ledger, proxy } = await openBehindProxy(t);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  proxy.setMode('lose');
  const posting = ledger.post(reservation.reservationId);
  await until(() => proxy.withheld() > 0);
  proxy.setMode('pass');
  t.deepEqual(await posting, { state: 'posted', balanceMicroUsd: 36_000n });
});

test.serial('a post that begins while the connection is down waits for the connection', async (t) => {
  const { ledger, proxy } = await openBehindProxy(t);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  proxy.cut();
  t.is((await ledger.post(reservation.reservationId)).state, 'posted');
});

test.serial('a post without any answer is uncertain, and a repeated post finds its outcome', async (t) => {
  const { ledger, proxy, direct } = await openBehindProxy(t);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  proxy.setMode('hold');
  await throwsUnavailable(t, ledger.post(reservation.reservationId), 'uncertain');
  t.false(ledger.ready().ok);
  t.is((await direct.void(reservation.reservationId, 'swept')).state, 'posted');
  proxy.setMode('pass');
  await until(isOpen(ledger));
  t.is((await ledger.post(reservation.reservationId)).state, 'posted');
});

test.serial('a late answer is not taken for the answer to another call', async (t) => {
  const { ledger, proxy } = await openBehindProxy(t);
  const reservation = newReservation();
  await ledger.reserve(reservation);
  proxy.setMode('hold');
  await throwsUnavailable(t, ledger.post(reservation.reservationId), 'uncertain');
  proxy.setMode('pass');
  await until(isOpen(ledger));
  const other = newReservation({ amountMicroUsd: 3000n });
  t.like(await ledger.reserve(other), { state: 'reserved', balanceMicroUsd: 47_000n });
});

test.serial('a request that arrives twice is applied once', async (t) => {
  const { ledger, proxy, direct } = await openBehindProxy(t);
  proxy.setMode('double');
  const [posted, voided] = [newReservation(), newReservation()];
  for (const reservation of [posted, voided]) {
    const { state } = await ledger.reserve(reservation);
    t.is(state, 'reserved');
  }
  t.is((await ledger.post(posted.reservationId)).state, 'posted');
  t.is((await ledger.void(voided.reservationId, 'operation_failed')).state, 'voided');
  t.is(await direct.balance(posted.wallet), 36_000n);
  t.is(await direct.balance(voided.wallet), 50_000n);
  t.deepEqual((await direct.audit()).violations, []);
});

test.serial('calls to a hanging Redis fail instead of waiting, and work again afterwards', async (t) => {
  const redis = await startRedisFor(t);
  const ledger = await openLedger(t, { ...IMPATIENT, url: redis.url });
  const reservation = newReservation();
  await ledger.reserve(reservation);
  process.kill(redis.pid(), 'SIGSTOP');
  await t.throwsAsync(ledger.reserve(newReservation()), { name: 'LedgerUnavailableError' });
  await throwsUnavailable(t, ledger.post(reservation.reservationId), 'uncertain');
  t.false(ledger.ready().ok);
  process.kill(redis.pid(), 'SIGCONT');
  await until(isOpen(ledger));
  t.is((await ledger.post(reservation.reservationId)).state, 'posted');
  t.deepEqual((await ledger.audit()).violations, []);
});

test.serial('a write whose reply is only slow leaves the ledger open', async (t) => {
  const { ledger, proxy, direct } = await openBehindProxy(t, { checkEveryMs: 60_000 });
  const reservation = newReservation();
  await ledger.reserve(reservation);
  proxy.setMode('trickle');
  // The reply to the write is held, and makes the proxy pass the reply to this read.
  const reading = ledger.balance(reservation.wallet);
  await until(() => proxy.withheld() === 1);
  await throwsUnavailable(t, ledger.post(reservation.reservationId), 'uncertain');
  await reading;
  t.true(ledger.ready().ok);
  t.is((await direct.post(reservation.reservationId)).state, 'posted');
});

test.serial('a slow witness leaves an open ledger open, and a missing one closes it', async (t) => {
  const redis = await startRedisFor(t);
  let failure: Error | undefined;
  const attest = async (position: LedgerPosition) => {
    if (failure !== undefined) throw failure;
    return position;
  };
  const options = { url: redis.url, network: newNetwork(), attest, checkEveryMs: 60_000 };
  const ledger = await openLedger(t, options);
  failure = new SlowWitnessError('no answer in time');
  t.true((await ledger.check()).ok);
  t.false((await openLedger(t, options)).ready().ok, 'a ledger that was never open');
  failure = new Error('no connection');
  t.false((await ledger.check()).ok);
  failure = new SlowWitnessError('no answer in time');
  t.false((await ledger.check()).ok);
  failure = undefined;
  t.true((await ledger.check()).ok);
});

test.serial('a gateway that starts before its Redis opens once Redis is up', async (t) => {
  const redis = await startRedisFor(t);
  await redis.kill();
  const ledger = await openLedger(t, { ...IMPATIENT, url: redis.url });
  t.false(ledger.ready().ok);
  await throwsUnavailable(t, ledger.balance(newReservation().wallet), 'refused');
  await redis.start();
  await until(isOpen(ledger));
  t.is((await ledger.reserve(newReservation())).state, 'reserved');
});

import test, { type ExecutionContext } from 'ava';
import { createClient } from 'redis';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { createWalletLocks } from '../../../../services/ledger/contract/wallet-lock.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { startLockRedis } from '../../../kit/lock-redis.ts';
import { startRedisProxy } from '../../../kit/redis-proxy.ts';
import { until } from '../../../kit/until.ts';
import { newNetwork, newReservation, newWallet, throwsUnavailable } from '../fixture.ts';
import { openClient, openLocks, serveLedger } from '../service/service-fixture.ts';
import { createLedgerDatabase, openTrialLedger } from '../store/store-fixture.ts';

const [redis, database] = await Promise.all([startLockRedis(), createLedgerDatabase()]);
test.after.always(() => Promise.all([redis.remove(), database.stop()]));

async function connect(t: ExecutionContext) {
  const client = await createClient({ url: redis.url }).connect();
  t.teardown(() => client.destroy());
  return client;
}

async function open(t: ExecutionContext, options: { readonly network?: string; readonly waitMs?: number } = {}) {
  const network = options.network ?? newNetwork();
  const locks = openLocks(t, { url: redis.url, ...options, network });
  await until(() => locks.check().then(() => true));
  return { network, locks, keyOf: (wallet: string) => `tollhouse:{${network}}:lock:${wallet}` };
}

test('a wallet that another process has locked is busy until it is released', async (t) => {
  const { network, locks, keyOf } = await open(t);
  const { locks: impatient } = await open(t, { network, waitMs: 50 });
  const client = await connect(t);
  const wallet = newWallet();
  await client.set(keyOf(wallet), 'another', { PX: 600_000 });
  let isTaken = false;
  const waiting = locks.acquire(wallet).finally(() => {
    isTaken = true;
  });
  const codeOf = (error: unknown) => error instanceof LedgerUnavailableError && error.code;
  // On a busy machine, Redis may not answer in its short time.
  await until(async () => (await impatient.acquire(wallet).catch(codeOf)) === 'lock_timeout');
  t.false(isTaken);
  await client.del(keyOf(wallet));
  (await waiting).release();
});

test('callers of one process have a lock one after the other', async (t) => {
  const { locks } = await open(t);
  const wallet = newWallet();
  let holders = 0;
  const takeTurn = async () => {
    const lock = await locks.acquire(wallet);
    holders += 1;
    t.is(holders, 1);
    await locks.check();
    holders -= 1;
    lock.release();
  };
  await Promise.all(Array.from({ length: 8 }, takeTurn));
});

test('locks of other wallets and networks are others', async (t) => {
  const wallet = newWallet();
  const [here, there] = [await open(t), await open(t)];
  const held = [
    await here.locks.acquire(wallet),
    await there.locks.acquire(wallet),
    await here.locks.acquire(newWallet()),
  ];
  for (const lock of held) lock.release();
  t.pass();
});

test('the lock of a dead holder lapses', async (t) => {
  const { locks, keyOf } = await open(t);
  const client = await connect(t);
  const wallet = newWallet();
  await client.set(keyOf(wallet), 'dead', { PX: 100 });
  (await locks.acquire(wallet)).release();
  t.pass();
});

test('a release leaves the lock of another holder', async (t) => {
  const { locks, keyOf } = await open(t);
  const client = await connect(t);
  const wallet = newWallet();
  const held = await locks.acquire(wallet);
  await client.set(keyOf(wallet), 'another');
  held.release();
  await locks.close();
  t.is(await client.get(keyOf(wallet)), 'another');
});

test('the time that is left is counted by a clock that never goes back', async (t) => {
  let nowMs = 0;
  const client = createRedisClient({ url: redis.url });
  const locks = createWalletLocks({ client, network: newNetwork(), waitMs: 30_000, monotonicMs: () => nowMs });
  t.teardown(() => locks.close());
  await until(() => locks.check().then(() => true));
  const held = await locks.acquire(newWallet());
  t.is(held.leftMs(), 1978);
  nowMs = 2000;
  t.is(held.leftMs(), -22);
});

test('a lock that comes after its caller gave up is released', async (t) => {
  const network = newNetwork();
  const proxy = await startRedisProxy(redis.socketPath);
  t.teardown(() => proxy.close());
  const locks = openLocks(t, { url: proxy.url, network, waitMs: 200 });
  await until(() => locks.check().then(() => true));
  const wallet = newWallet();
  // Loads the scripts. On a busy machine, Redis may not answer in its short time.
  const take = async (one: string) => (await locks.acquire(one)).release();
  await until(() => take(newWallet()).then(() => true));
  proxy.setMode('hold');
  await throwsUnavailable(t, locks.acquire(wallet), 'refused');
  proxy.setMode('pass');
  const client = await connect(t);
  await until(async () => (await client.exists(`tollhouse:{${network}}:lock:${wallet}`)) === 0);
  await until(() => take(wallet).then(() => true));
});

test('a Redis that is emptied between lock and reserve changes no books', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { network } = ledger;
  const wallet = newWallet();
  const client = await connect(t);
  const { target } = await serveLedger(t, ledger, {
    store: {
      async reserve(reservation) {
        await client.del(`tollhouse:{${network}}:lock:${wallet}`);
        return ledger.reserve(reservation);
      },
    },
  });
  const clients = await Promise.all(
    [1, 2, 3].map(async () => openClient(t, { target, locks: (await open(t, { network })).locks })),
  );
  const trials = Array.from({ length: 12 }, () => newReservation({ wallet }));
  const outcomes = await Promise.all(
    trials.map((trial, at) =>
      until(async () => {
        const state = (await clients[at % clients.length]?.reserve(trial))?.state;
        // On a busy machine, a lock may lapse before its batch.
        return state !== 'lock_lost' && state;
      }),
    ),
  );
  t.is(outcomes.filter((state) => state === 'reserved').length, 3);
  t.like(await ledger.audit(), { pending: 3, violations: [] });
});

test('a reserve whose lock is over when its batch starts is refused, and burns no nonce', async (t) => {
  const ledger = openTrialLedger(t, database);
  const { target } = await serveLedger(t, ledger);
  const { locks } = await open(t, { network: ledger.network });
  let isStopped = true;
  const stopped = await openClient(t, {
    target,
    locks: {
      ...locks,
      async acquire(wallet) {
        const lock = await locks.acquire(wallet);
        // As a process that stopped here sees it.
        return { ...lock, leftMs: () => (isStopped ? -1 : 30_000) };
      },
    },
  });
  const trial = newReservation();
  t.deepEqual(await stopped.reserve(trial), { state: 'lock_lost' });
  isStopped = false;
  t.is((await stopped.reserve(trial)).state, 'reserved');
});

test('without Redis no trial is admitted, and charges go on', async (t) => {
  const own = await startLockRedis();
  t.teardown(() => own.remove());
  const ledger = openTrialLedger(t, database);
  const { target } = await serveLedger(t, ledger, {
    store: { channels: async () => [] },
  });
  const locks = openLocks(t, { url: own.url, network: ledger.network });
  const client = await openClient(t, { target, locks });
  await own.kill();
  await until(() => !client.ready().ok);
  t.deepEqual(client.ready(), { ok: false, reason: 'wallets cannot be locked: Redis does not answer' });
  await throwsUnavailable(t, client.reserve(newReservation()), 'not_ready');
  await throwsUnavailable(t, locks.acquire(newWallet()), 'refused');
  t.deepEqual(await client.channels([]), []);
  await own.start();
  await until(async () => (await client.reserve(newReservation())).state === 'reserved');
  t.true(client.ready().ok);
});

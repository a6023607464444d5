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

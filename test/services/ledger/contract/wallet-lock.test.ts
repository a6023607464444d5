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
const client = await createClient({ url: redis.url }).connect();
test.after.always(async () => {
  client.destroy();
  await Promise.all([redis.remove(), database.stop()]);
});

/** How often a command ran. */
async function countOf(command: string): Promise<number> {
  const stats = await client.info('commandstats');
  return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
}

/** Locks whose clock stands still, unless a test has one, so that only a reply of Redis can be late. */
async function open(
  t: ExecutionContext,
  { url = redis.url, network = newNetwork(), waitMs = 30_000, monotonicMs = (): number => 0 } = {},
) {
  const locks = createWalletLocks({ client: createRedisClient({ url }), network, waitMs, monotonicMs });
  t.teardown(() => locks.close());
  await until(() => locks.check().then(() => true));
  /** Loads the script, and takes a lock. On a busy machine, Redis may not answer in a short time. */
  const take = (wallet: string) => until(() => locks.acquire(wallet));
  return { network, locks, take, keyOf: (wallet: string) => `tollhouse:{${network}}:lock:${wallet}` };
}

/** Locks behind a proxy that can hold the replies of Redis back. The script is loaded. */
async function openBehindProxy(t: ExecutionContext, options: { readonly waitMs?: number } = {}) {
  const proxy = await startRedisProxy(redis.socketPath);
  t.teardown(() => proxy.close());
  const opened = await open(t, { url: proxy.url, ...options });
  (await opened.take(newWallet())).release();
  return { proxy, ...opened };
}

test.serial('a wallet that another process has locked is busy until it is released', async (t) => {
  const { network, locks, keyOf } = await open(t);
  const { locks: impatient } = await open(t, { network, waitMs: 50, monotonicMs: () => performance.now() });
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

test.serial('locks of other wallets and networks are others', async (t) => {
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

test.serial('the lock of a dead holder lapses', async (t) => {
  const { locks, keyOf } = await open(t);
  const wallet = newWallet();
  await client.set(keyOf(wallet), 'dead', { PX: 100 });
  (await locks.acquire(wallet)).release();
  t.pass();
});

test.serial('a release leaves the lock of another holder', async (t) => {
  const { locks, keyOf } = await open(t);
  const wallet = newWallet();
  const held = await locks.acquire(wallet);
  await client.set(keyOf(wallet), 'another');
  held.release();
  await locks.close();
  t.is(await client.get(keyOf(wallet)), 'another');
});

test.serial('the time that is left is counted by a clock that never goes back', async (t) => {
  let nowMs = 0;
  const { take } = await open(t, { monotonicMs: () => nowMs });
  const held = await take(newWallet());
  t.is(held.leftMs(), 1978);
  nowMs = 2000;
  t.is(held.leftMs(), -22);
});

test.serial('a lock that comes after its caller gave up is released', async (t) => {
  const { proxy, locks, take, keyOf } = await openBehindProxy(t, { waitMs: 200 });
  const wallet = newWallet();
  proxy.setMode('hold');
  await throwsUnavailable(t, locks.acquire(wallet), 'refused');
  proxy.setMode('pass');
  await until(async () => (await client.exists(keyOf(wallet))) === 0);
  (await take(wallet)).release();
  t.pass();
});

test.serial('without Redis no trial is admitted, and charges go on', async (t) => {
  const own = await startLockRedis();
  t.teardown(() => own.remove());
  const ledger = openTrialLedger(t, database);
  const { target } = await serveLedger(t, ledger, {
    store: { channels: async () => [] },
  });
  const locks = openLocks(t, { url: own.url, network: ledger.network });
  const ledgerClient = await openClient(t, { target, locks });
  await own.kill();
  await until(() => !ledgerClient.ready().ok);
  t.deepEqual(ledgerClient.ready(), { ok: false, reason: 'wallets cannot be locked: Redis does not answer' });
  await throwsUnavailable(t, ledgerClient.reserve(newReservation()), 'not_ready');
  await throwsUnavailable(t, locks.acquire(newWallet()), 'refused');
  t.deepEqual(await ledgerClient.channels([]), []);
  await own.start();
  await until(async () => (await ledgerClient.reserve(newReservation())).state === 'reserved');
  t.true(ledgerClient.ready().ok);
});

for (const [how, on, off, message] of [
  ['became a replica', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE'], /READONLY/],
  [
    'has no memory left',
    ['CONFIG', 'SET', 'maxmemory', '1'],
    ['CONFIG', 'SET', 'maxmemory', '0'],
    /OOM command not allowed/,
  ],
] as const) {
  test.serial(`a Redis that ${how} refuses, and the next caller may ask it`, async (t) => {
    const { locks, take } = await open(t);
    (await take(newWallet())).release();
    const wallet = newWallet();
    await client.sendCommand([...on]);
    await throwsUnavailable(t, locks.acquire(wallet), 'refused');
    await t.throwsAsync(locks.check(), { message });
    await client.sendCommand([...off]);
    await locks.check();
    (await take(wallet)).release();
  });
}

test.serial('a lock whose reply is lost is refused, and lapses', async (t) => {
  const { proxy, locks, take, keyOf } = await openBehindProxy(t);
  const wallet = newWallet();
  proxy.setMode('hold');
  const refused = throwsUnavailable(t, locks.acquire(wallet), 'refused');
  await until(async () => (await client.exists(keyOf(wallet))) === 1);
  proxy.cut();
  await refused;
  proxy.setMode('pass');
  (await take(wallet)).release();
});

test.serial('of a wallet that was busy, a Redis that falls silent says that it is busy', async (t) => {
  const { proxy, locks, keyOf } = await openBehindProxy(t, { waitMs: 300 });
  const wallet = newWallet();
  await client.set(keyOf(wallet), 'another', { PX: 600_000 });
  async function attempt() {
    proxy.setMode('pass');
    const before = await countOf('evalsha');
    const failed = locks.acquire(wallet).then(
      () => 'locked',
      (error: unknown) => error instanceof LedgerUnavailableError && error.code,
    );
    let isOver = false;
    void failed.then(() => {
      isOver = true;
    });
    // The second question follows the first answer.
    await until(async () => isOver || (await countOf('evalsha')) >= before + 2);
    proxy.setMode('hold');
    return failed;
  }
  // On a busy machine, the first answer may be late.
  t.is(
    await until(async () => {
      const code = await attempt();
      return code !== 'refused' && code;
    }),
    'lock_timeout',
  );
});

test.serial('in one process, only the first of those who wait for a wallet asks Redis', async (t) => {
  const { locks, take } = await open(t);
  const [wallet, other] = [newWallet(), newWallet()];
  const first = await take(wallet);
  const before = await countOf('evalsha');
  const order: string[] = [];
  const second = locks.acquire(wallet).then((lock) => {
    order.push('second');
    lock.release();
  });
  // Questions of one client are answered in their order.
  const others = await locks.acquire(other);
  t.is(await countOf('evalsha'), before + 1);
  others.release();
  order.push('first');
  first.release();
  await second;
  t.deepEqual(order, ['first', 'second']);
});

test.serial('in one process, a caller waits for the one before it for a time', async (t) => {
  const { locks, take } = await open(t, { waitMs: 50 });
  const wallet = newWallet();
  await take(wallet);
  await throwsUnavailable(t, locks.acquire(wallet), 'lock_timeout');
});

test.serial('a check writes, and those that check at once share it', async (t) => {
  const { locks } = await open(t);
  const before = await countOf('set');
  await Promise.all([locks.check(), locks.check()]);
  t.is(await countOf('set'), before + 1);
  await locks.check();
  t.is(await countOf('set'), before + 2);
});

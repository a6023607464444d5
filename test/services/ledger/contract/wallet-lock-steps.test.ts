import test, { type ExecutionContext } from 'ava';
import { createClient } from 'redis';
import { LedgerUnavailableError } from '../../../../services/ledger/contract/ledger.ts';
import { createWalletLocks } from '../../../../services/ledger/contract/wallet-lock.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { startLockRedis } from '../../../kit/lock-redis.ts';
import { startRedisProxy } from '../../../kit/redis-proxy.ts';
import { until } from '../../../kit/until.ts';
import { newNetwork, newWallet, throwsUnavailable } from '../fixture.ts';

const redis = await startLockRedis();
const client = await createClient({ url: redis.url }).connect();
test.after.always(async () => {
  client.destroy();
  await redis.remove();
});

/** How often a command ran. */
async function countOf(command: string): Promise<number> {
  const stats = await client.info('commandstats');
  return Number(new RegExp(`^cmdstat_${command}:calls=(\\d+)`, 'm').exec(stats)?.[1] ?? 0);
}

/** Locks whose clock stands still, so that only a reply of Redis can be late. */
async function open(t: ExecutionContext, { url = redis.url, waitMs = 30_000 } = {}) {
  const network = newNetwork();
  const own = createRedisClient({ url });
  const locks = createWalletLocks({ client: own, network, waitMs, monotonicMs: () => 0 });
  t.teardown(() => locks.close());
  await until(() => locks.check().then(() => true));
  /** Loads the script, and takes a lock. On a busy machine, Redis may not answer in a short time. */
  const take = (wallet: string) => until(() => locks.acquire(wallet));
  return { locks, take, keyOf: (wallet: string) => `tollhouse:{${network}}:lock:${wallet}` };
}

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
  const proxy = await startRedisProxy(redis.socketPath);
  t.teardown(() => proxy.close());
  const { locks, take, keyOf } = await open(t, { url: proxy.url });
  (await take(newWallet())).release();
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
  const proxy = await startRedisProxy(redis.socketPath);
  t.teardown(() => proxy.close());
  const { locks, take, keyOf } = await open(t, { url: proxy.url, waitMs: 300 });
  (await take(newWallet())).release();
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

import test from 'ava';
import { createClient } from 'redis';
import { createLock } from '../../../services/payments/signer/signer-lock.ts';
import { createRedisClient } from '../../../services/platform/redis/redis-client.ts';
import { startTestRedis } from '../../helpers/servers.ts';

test('a lock that has lapsed does not delay the next holder in the same process', async (t) => {
  const server = await startTestRedis();
  const client = createRedisClient({ url: server.url, onError: () => {} });
  const other = createClient({ url: server.url });
  await Promise.all([client.connect(), other.connect()]);
  t.teardown(async () => {
    client.destroy();
    other.destroy();
    await server.stop();
  });
  const commands = async () => Number(/cmdstat_evalsha:calls=(\d+)/.exec(await other.info('commandstats'))?.[1]);
  const lock = createLock({ client, prefix: 'test:', timeoutMs: 5000 });
  await lock('name', async () => {});
  const before = await commands();
  await lock('name', async () => {
    await other.del('test:lock:name');
  });
  await lock('name', async () => {});
  t.is((await commands()) - before, 4, 'each is acquired and released with one request');
});

test('a lock is kept for as long as its work takes, and the lock of a dead holder lapses', async (t) => {
  const server = await startTestRedis();
  const client = createRedisClient({ url: server.url, onError: () => {} });
  const rival = createRedisClient({ url: server.url, onError: () => {} });
  await Promise.all([client.connect(), rival.connect()]);
  t.teardown(async () => {
    client.destroy();
    rival.destroy();
    await server.stop();
  });
  const order: string[] = [];
  const mine = createLock({ client, prefix: 'test:', timeoutMs: 5000 });
  const theirs = createLock({ client: rival, prefix: 'test:', timeoutMs: 5000 });
  const began = Promise.withResolvers<void>();
  const long = mine('name', async () => {
    began.resolve();
    const firstMs = await rival.pTTL('test:lock:name');
    // Until the lock was extended beyond its first end.
    const endMs = performance.now() + firstMs;
    while (performance.now() + (await rival.pTTL('test:lock:name')) < endMs + 1000) {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    order.push('long work');
  });
  await began.promise;
  const next = theirs('name', async () => order.push('next'));
  await Promise.all([long, next]);
  t.deepEqual(order, ['long work', 'next']);
  // A dead holder extends nothing.
  await rival.set('test:lock:name', 'dead', { expiration: { type: 'PX', value: 1000 } });
  await mine('name', async () => order.push('after the dead'));
  t.is(order.length, 3);
});

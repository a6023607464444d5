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

import { createConnection, createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { answerWithin, createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { startLockRedis } from '../../../kit/lock-redis.ts';
import { portOf } from '../../../kit/port-of.ts';
import { until } from '../../../kit/until.ts';

const PING_MS = 200;

test('a connection that falls silent is replaced while commands are sent on it', async (t) => {
  const redis = await startLockRedis();
  /** What the first connection asks after this is not answered. */
  let isSilent = false;
  let connections = 0;
  const proxy = createServer((client) => {
    connections += 1;
    const isFirst = connections === 1;
    const server = createConnection(new URL(redis.url).pathname);
    client.on('data', (data) => void (isFirst && isSilent ? undefined : server.write(data)));
    server.on('data', (data) => void client.write(data));
    for (const [one, other] of [[client, server] as const, [server, client] as const])
      one.on('error', () => {}).on('close', () => other.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const client = createRedisClient({ url: `redis://127.0.0.1:${portOf(proxy)}`, pingMs: PING_MS });
  t.teardown(async () => {
    client.destroy();
    proxy.close();
    await redis.remove();
  });
  await client.connect();
  t.is(await client.echo('a'), 'a');
  isSilent = true;
  const answer = await until(async () => {
    await delay(PING_MS / 10);
    return answerWithin(client.echo('b'), PING_MS);
  });
  t.is(answer, 'b');
  t.is(connections, 2);
});

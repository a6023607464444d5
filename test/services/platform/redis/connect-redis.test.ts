import test from 'ava';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { connectRedis } from '../../../../services/platform/redis/connect-redis.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { startTestRedis } from '../../../helpers/servers.ts';

test('a Redis that refuses the client is reported with the variable and a remedy, and one that accepts it is used', async (t) => {
  const redis = await startTestRedis();
  const admin = await createRedisClient({ url: redis.url }).connect();
  await admin.sendCommand(['ACL', 'SETUSER', 'default', 'resetpass', '>right']);
  const connect = async (url: string) => {
    const client = createRedisClient({ url });
    try {
      await connectRedis(client, 'REDIS_URL');
      return await client.ping();
    } finally {
      client.destroy();
    }
  };
  const withPassword = (password: string) => redis.url.replace('unix://', `unix://:${password}@`);
  for (const [url, message] of [
    [redis.url, /^REDIS_URL: Redis answers NOAUTH: add the password/],
    [withPassword('wrong'), /^REDIS_URL: Redis answers WRONGPASS: correct the user and the password/],
  ] as const) {
    await t.throwsAsync(connect(url), { instanceOf: ConfigurationError, message });
  }
  t.is(await connect(withPassword('right')), 'PONG');
  admin.destroy();
  await redis.stop();
});

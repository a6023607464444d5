import test from 'ava';
import { CommandError } from '../../../../scripts/cli/terminal/command.ts';
import { withRedis } from '../../../../scripts/cli/tollhouse/stores/operator-redis.ts';
import { createRedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { startTestRedis } from '../../../kit/servers.ts';

test('a Redis that refuses the client is reported with the variable and a remedy, and one that accepts it is used', async (t) => {
  const redis = await startTestRedis();
  const admin = await createRedisClient({ url: redis.url }).connect();
  await admin.sendCommand(['ACL', 'SETUSER', 'default', 'resetpass', '>right']);
  const ping = (url: string) => withRedis({ environment: { REDIS_URL: url } }, (client) => client.ping());
  const withPassword = (password: string) => redis.url.replace('unix://', `unix://:${password}@`);
  for (const [url, message] of [
    [redis.url, /^REDIS_URL: Redis answers NOAUTH: add the password/],
    [withPassword('wrong'), /^REDIS_URL: Redis answers WRONGPASS: correct the user and the password/],
    ['unix:///nowhere/redis.sock', /^REDIS_URL: Redis does not answer/],
  ] as const) {
    await t.throwsAsync(ping(url), { instanceOf: CommandError, message });
  }
  t.is(await ping(withPassword('right')), 'PONG');
  admin.destroy();
  await redis.stop();
});

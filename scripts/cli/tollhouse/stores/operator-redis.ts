import { join } from 'node:path';
import { explainRedisRefusal } from '../../../../services/platform/redis/connect-redis.ts';
import { createRedisClient, type RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { runFolderOf } from '../../../launch/processes/run-folder.ts';
import { dataFolderOf, readSettings } from '../../../launch/settings.ts';
import { CommandError, type Terminal } from '../terminal/command.ts';

/** The Redis of payments: that of PAYMENT_REDIS_URL or REDIS_URL, or the one that `npm start` runs on the data folder. */
function paymentRedisUrl(environment: Terminal['environment']): string {
  const given = environment['PAYMENT_REDIS_URL'] || readSettings(environment).redisUrl;
  return given ?? `unix://${join(runFolderOf(dataFolderOf(environment)), 'redis.sock')}`;
}

function explain(environment: Terminal['environment'], error: Error): string {
  const { PAYMENT_REDIS_URL, REDIS_URL } = environment;
  if (!PAYMENT_REDIS_URL && !REDIS_URL) return `Redis does not answer (${error.message}). Start it with npm start`;
  const variable = PAYMENT_REDIS_URL ? 'PAYMENT_REDIS_URL' : 'REDIS_URL';
  return explainRedisRefusal(variable, error) ?? `${variable}: Redis does not answer (${error.message})`;
}

/**
 * Connects to the Redis of payments, runs `work`, and disconnects.
 * @throws {CommandError} if Redis does not answer
 */
export async function withRedis<Result>(
  { environment }: Pick<Terminal, 'environment'>,
  work: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = createRedisClient({ url: paymentRedisUrl(environment) });
  // The client would try again for ever.
  const failed = new Promise<never>((_, reject) => {
    client.once('error', (error: Error) => {
      reject(new CommandError(explain(environment, error)));
    });
  });
  try {
    await Promise.race([client.connect(), failed]);
    return await Promise.race([work(client), failed]);
  } finally {
    failed.catch(() => {});
    client.destroy();
  }
}

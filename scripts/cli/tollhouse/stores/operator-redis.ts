import { join } from 'node:path';
import { COMMAND_LINES } from '../../../../services/platform/process/installation.ts';
import { createRedisClient, type RedisClient } from '../../../../services/platform/redis/redis-client.ts';
import { findRunFolder } from '../../../launch/processes/run-folder.ts';
import { dataFolderOf, readSettings } from '../../../launch/settings.ts';
import { CommandError, type Terminal } from '../../terminal/command.ts';

/** Refusals of Redis that another attempt does not change, by the code of the error, and what to do. */
const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:WRONGPASS|ERR AUTH|ERR invalid password)/,
    'correct the user and the password, as in redis://USER:PASSWORD@HOST:6379',
  ],
  [/^NOAUTH/, 'add the password, as in redis://:PASSWORD@HOST:6379'],
  [
    /^DENIED/,
    'set bind and requirepass in redis.conf: protected mode refuses other machines until there is a password',
  ],
  [/^NOPERM/, 'give the user of Redis the rights that docs/operations/production.md lists'],
];

/** The Redis of REDIS_URL, or the one that `npm start` runs on the data folder. */
function redisUrlOf(environment: Terminal['environment']): string {
  const { redisUrl } = readSettings(environment);
  return redisUrl ?? `unix://${join(findRunFolder(dataFolderOf(environment)), 'redis.sock')}`;
}

function explain(environment: Terminal['environment'], { message }: Error): string {
  if (!environment['REDIS_URL']) return `Redis does not answer (${message}). Start it with ${COMMAND_LINES.start}`;
  const action = REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
  if (action === undefined) return `REDIS_URL: Redis does not answer (${message})`;
  // The rest of the message is for programmers, and can be very long.
  return `REDIS_URL: Redis answers ${message.split(' ', 1)[0]}: ${action}`;
}

/**
 * Connects to Redis, runs `work`, and disconnects.
 * @throws {CommandError} if Redis does not answer
 */
export async function withRedis<Result>(
  { environment }: Pick<Terminal, 'environment'>,
  work: (client: RedisClient) => Promise<Result>,
): Promise<Result> {
  const client = createRedisClient({ url: redisUrlOf(environment) });
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

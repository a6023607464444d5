import { ConfigurationError } from '../process/environment.ts';
import type { RedisClient } from './redis-client.ts';

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

/** @returns what to tell the operator if Redis refuses the client, or undefined for other errors */
export function explainRedisRefusal(variable: string, { message }: Error): string | undefined {
  const action = REFUSALS.find(([pattern]) => pattern.test(message))?.[1];
  // The rest of the message is for programmers, and can be very long.
  return action === undefined ? undefined : `${variable}: Redis answers ${message.split(' ', 1)[0]}: ${action}`;
}

/**
 * Connects. Waits while Redis does not answer, because it may be starting.
 * @param variable the variable that has the URL
 * @throws {ConfigurationError} if Redis refuses the client
 */
export async function connectRedis(client: RedisClient, variable: string): Promise<void> {
  let stopListening = () => {};
  const refused = new Promise<never>((_, reject) => {
    const listener = (error: Error) => {
      const refusal = explainRedisRefusal(variable, error);
      if (refusal !== undefined) reject(new ConfigurationError(refusal, { cause: error }));
    };
    client.on('error', listener);
    stopListening = () => client.off('error', listener);
  });
  try {
    await Promise.race([client.connect(), refused]);
  } finally {
    stopListening();
  }
}

import { setImmediate } from 'node:timers/promises';
import { createClient } from 'redis';
import { within } from '../within.ts';

export type RedisClient = ReturnType<typeof newClient>;

export interface RedisClientOptions {
  /** `redis://host:port/db`, `rediss://…` or `unix:///path/to.sock`. */
  readonly url: string;
  /** Longest time to connect. */
  readonly connectTimeoutMs?: number;
  /** Time between two pings, and the longest time for the answer to one. */
  readonly pingMs?: number;
  readonly onError?: (error: Error) => void;
}

/** Redis did not reply in time. The command may have taken effect. */
export class RedisTimeoutError extends Error {
  override readonly name = 'RedisTimeoutError';
}

const PING_MS = 5000;
/** Pings keep a connection that works busier than this. One whose handshake is not answered has none. */
const SOCKET_TIMEOUT_MS = 15_000;

function newClient({ url, connectTimeoutMs = 2000 }: RedisClientOptions) {
  return createClient({
    url,
    // A command fails at once while disconnected: it must not run later.
    disableOfflineQueue: true,
    // A service of Redis Enterprise only. The client cannot read the URL of a Unix socket with a password for it.
    maintNotifications: 'disabled',
    // The client's own timeout ends when the command is written. `answerWithin` includes the reply.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: connectTimeoutMs,
      socketTimeout: SOCKET_TIMEOUT_MS,
      reconnectStrategy: (tries) => Math.min(20 * 2 ** Math.min(tries, 10), 1000),
    },
  });
}

/** Creates a client that is not connected yet: call `client.connect()`. It reconnects by itself, also if Redis falls silent. */
export function createRedisClient(options: RedisClientOptions): RedisClient {
  const client = newClient(options);
  const { onError = () => {}, pingMs = PING_MS } = options;
  client.on('error', onError);
  setInterval(() => void reconnectIfSilent(client, pingMs).catch(onError), pingMs).unref();
  return client;
}

/**
 * Reconnects if Redis does not answer a ping. A host that is cut off says nothing, and the timer of the socket starts again with
 * every command that is written.
 */
async function reconnectIfSilent(client: RedisClient, timeoutMs: number): Promise<void> {
  if (!client.isReady) return;
  try {
    await answerWithin(client.ping(), timeoutMs);
  } catch (error) {
    if (!(error instanceof RedisTimeoutError) || !client.isReady) return;
    client.destroy();
    await client.connect();
  }
}

/**
 * Waits for a reply of Redis.
 * @throws {RedisTimeoutError} after `timeoutMs`; the command may still take effect
 */
export const answerWithin = <T>(answer: Promise<T>, timeoutMs: number): Promise<T> =>
  within(answer, timeoutMs, async () => {
    // A process that was held up first reads the replies that have arrived.
    await setImmediate();
    throw new RedisTimeoutError(`no answer from Redis in ${timeoutMs} ms`);
  });

import pg from 'pg';

/** A connection of its own: PostgreSQL gives advisory locks back when the connection that took them ends. */
export interface LockSession {
  /** Aborts when the connection, and every lock with it, is lost. */
  readonly lost: AbortSignal;
  /** Whether the lock was free and is held now. */
  tryLock(name: string): Promise<boolean>;
  unlock(name: string): Promise<void>;
  end(): Promise<void>;
}

/** First half of the key of each lock. The second half is a hash of its name. */
const LOCK_CLASS = 8_402_119;
const CONNECT_TIMEOUT_MS = 3000;
const QUERY_TIMEOUT_MS = 5000;
/** PostgreSQL ends a session that is silent for this long: a process that is stopped must not keep its locks. */
const LEASE_MS = 10_000;
const HEARTBEAT_MS = 3000;

export async function openLockSession(databaseUrl: string): Promise<LockSession> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  /** One query at a time, as the driver wants it. A connection whose query failed is given up. */
  function query(text: string, values: readonly unknown[] = []): Promise<{ readonly held?: boolean } | undefined> {
    const answer = last.then(async () => (await client.query<{ held?: boolean }>(text, [...values])).rows[0]);
    last = answer.catch(end);
    return answer;
  }

  async function end(): Promise<void> {
    lost.abort();
    await client.end().catch(() => {});
  }

  // Without a listener the error would end the process. `end` follows it.
  client.on('error', () => {});
  client.on('end', () => lost.abort());
  try {
    await client.connect();
  } catch (error) {
    await end();
    throw error;
  }
  await query(`SET idle_session_timeout = ${LEASE_MS}`);
  const heartbeat = setInterval(() => void query('SELECT 1').catch(() => {}), HEARTBEAT_MS).unref();
  lost.signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true });

  return {
    lost: lost.signal,
    async tryLock(name) {
      const row = await query('SELECT pg_try_advisory_lock($1, hashtext($2)) AS held', [LOCK_CLASS, name]);
      return row?.held === true;
    },
    async unlock(name) {
      await query('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, name]);
    },
    end,
  };
}

import pg from 'pg';
import { COMMIT_DURABLY } from '../database.ts';
import { onlyRow } from '../rows.ts';

/** A connection that holds advisory locks. PostgreSQL releases them when the connection ends. */
export interface LockSession {
  /** Aborts when the connection is lost, and every lock with it. */
  readonly lost: AbortSignal;
  /** Takes the lock if it is free. @returns whether it is held now */
  tryLock(name: string): Promise<boolean>;
  /** Runs a query that must not take effect once the locks are lost. If it fails, the session ends. */
  query<Row extends pg.QueryResultRow>(text: string, values: readonly unknown[]): Promise<readonly Row[]>;
  unlock(name: string): Promise<void>;
  end(): Promise<void>;
}

/** First half of every lock's key. The second half is a hash of its name. */
const LOCK_CLASS = 8_402_119;
const CONNECT_TIMEOUT_MS = 3000;
const QUERY_TIMEOUT_MS = 5000;
/** PostgreSQL ends a session that is idle for this long: a stopped process must not keep its locks. */
const MAX_IDLE_MS = 10_000;
const HEARTBEAT_MS = 4000;

export type LockSessions = ReturnType<typeof createLockSessions>;

/** The session of a process, in which all its locks are. */
export function createLockSessions(databaseUrl: string) {
  let opening: Promise<LockSession> | undefined;
  return {
    /** The present session, or a new one after that was lost. @throws while PostgreSQL is unavailable */
    current(): Promise<LockSession> {
      if (opening !== undefined) return opening;
      const opened = openLockSession(databaseUrl);
      const forget = () => {
        if (opening === opened) opening = undefined;
      };
      opening = opened;
      opened.then(({ lost }) => {
        if (lost.aborted) forget();
        else lost.addEventListener('abort', forget, { once: true });
      }, forget);
      return opened;
    },
    /** Releases all locks. */
    async close(): Promise<void> {
      const open = await opening?.catch(() => undefined);
      await open?.end();
    },
  };
}

export async function openLockSession(databaseUrl: string): Promise<LockSession> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  let last: Promise<unknown> = Promise.resolve();

  /** Sends one query at a time, as the driver requires. A failed query ends the connection. */
  function query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    const answer = last.then(async () => (await client.query<Row>(text, [...values])).rows);
    last = answer.catch(end);
    return answer;
  }

  async function end(): Promise<void> {
    lost.abort();
    await client.end().catch(() => {});
  }

  // Without a listener the error would end the process. An `end` event follows it.
  client.on('error', () => {});
  client.on('end', () => lost.abort());
  try {
    await client.connect();
  } catch (error) {
    await end();
    throw error;
  }
  await query(`SET idle_session_timeout = ${MAX_IDLE_MS}`);
  await query(COMMIT_DURABLY);
  const heartbeat = setInterval(() => void query('SELECT 1').catch(() => {}), HEARTBEAT_MS).unref();
  lost.signal.addEventListener('abort', () => clearInterval(heartbeat), { once: true });

  return {
    lost: lost.signal,
    async tryLock(name) {
      const sql = 'SELECT pg_try_advisory_lock($1, hashtext($2)) AS held';
      return onlyRow(await query<{ held: boolean }>(sql, [LOCK_CLASS, name])).held;
    },
    async unlock(name) {
      await query('SELECT pg_advisory_unlock($1, hashtext($2))', [LOCK_CLASS, name]);
    },
    query,
    end,
  };
}

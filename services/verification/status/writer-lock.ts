import pg from 'pg';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';

/** An advisory lock of the whole server. The process that holds it is the one that writes, as far as it can be told. */
export const WRITER_LOCK = 8_402_118;
const RETRY_MS = 5000;

export interface WriterLock {
  /** Process id of the database session that took the lock; undefined while this process has none. */
  session(): number | undefined;
  close(): Promise<void>;
}

/** Holds the writer's lock on a connection of its own for as long as that lasts. Tries again when it is lost. */
export function holdWriterLock(url: string, logger: Logger): WriterLock {
  const logError = createRepeatedErrorLog({ logger, message: 'the connection that holds the writer lock failed' });
  let client: pg.Client | undefined;
  let session: number | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function attempt(): Promise<void> {
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
    next.on('error', logError);
    next.on('end', () => {
      if (client !== next) return;
      session = undefined;
      client = undefined;
      again();
    });
    try {
      await next.connect();
      const { rows } = await next.query<{ held: boolean; session: number }>(
        'SELECT pg_try_advisory_lock($1) AS held, pg_backend_pid() AS session',
        [WRITER_LOCK],
      );
      const [row] = rows;
      if (isClosed || row?.held !== true) {
        await next.end();
        return again();
      }
      client = next;
      session = row.session;
    } catch (err) {
      logError(err);
      await next.end().catch(() => undefined);
      again();
    }
  }

  function again(): void {
    if (!isClosed) timer = setTimeout(() => void attempt(), RETRY_MS);
  }

  void attempt();
  return {
    session: () => session,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

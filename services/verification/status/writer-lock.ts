import pg from 'pg';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import { onlyRow } from '../../store/rows.ts';

/** Advisory lock of the whole server. The process that holds it attests that it is the only writer. */
export const WRITER_LOCK = 8_402_118;
const RETRY_MS = 5000;

export type WriterLock = ReturnType<typeof holdWriterLock>;

/** Holds the writer's lock on a separate connection. Tries again when it is lost. */
export function holdWriterLock(url: string, logger: Logger) {
  const logError = createRepeatedErrorLog({ logger, message: 'the connection that holds the writer lock failed' });
  let client: pg.Client | undefined;
  let session: number | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function attempt(): Promise<void> {
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000, keepAlive: true });
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
      const row = onlyRow(rows);
      if (isClosed || !row.held) {
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
    /** Process id of the database session that has the lock; undefined while this process does not have it. */
    session: () => session,
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

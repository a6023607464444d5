import { sql } from 'kysely';
import pg from 'pg';
import { v4 as uuidv4 } from 'uuid';
import type { Logger } from '../../shared/logger.ts';
import { createRepeatedErrorLog } from '../../shared/repeated-errors.ts';
import type { Database } from '../../store/database.ts';

/** Of the whole server: whichever process holds it is the one that writes, as far as it can be told. */
const WRITER_LOCK = 8_402_118;
const RETRY_MS = 5000;

/** How the database keeps what it says it has kept. */
export interface Durability {
  readonly fsync: boolean;
  readonly synchronousCommit: boolean;
}

export interface RecordCounts {
  readonly plans: number;
  readonly executions: number;
  readonly proofs: number;
  readonly mutations: number;
}

export async function readDurability(database: Database): Promise<Durability> {
  const { rows } = await sql<{ fsync: string; commit: string }>`
    SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit`.execute(database);
  return { fsync: rows[0]?.fsync === 'on', synchronousCommit: (rows[0]?.commit ?? 'off') !== 'off' };
}

export async function countRecords(database: Database): Promise<RecordCounts> {
  const { rows } = await sql<Record<keyof RecordCounts, bigint>>`
    SELECT plans, executions, proofs, mutations FROM verification.count_records()`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error('the database counted nothing');
  const { plans, executions, proofs, mutations } = row;
  return {
    plans: Number(plans),
    executions: Number(executions),
    proofs: Number(proofs),
    mutations: Number(mutations),
  };
}

/** Writes, and reads back what was written. */
export function probeStorage(database: Database): Promise<boolean> {
  const value = uuidv4();
  return database.transaction().execute(async (transaction) => {
    await transaction.updateTable('verification.probe').set({ value }).execute();
    const row = await transaction.selectFrom('verification.probe').select('value').executeTakeFirstOrThrow();
    return row.value === value;
  });
}

export interface WriterLock {
  isHeld(): boolean;
  close(): Promise<void>;
}

/** Holds the writer's lock on a connection of its own, for as long as that lives; tries again when it is lost. */
export function holdWriterLock(url: string, logger: Logger): WriterLock {
  const logError = createRepeatedErrorLog({ logger, message: 'the connection that holds the writer lock failed' });
  let client: pg.Client | undefined;
  let held = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function attempt(): Promise<void> {
    const next = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
    next.on('error', logError);
    next.on('end', () => {
      if (client !== next) return;
      held = false;
      client = undefined;
      again();
    });
    try {
      await next.connect();
      const { rows } = await next.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [WRITER_LOCK]);
      if (isClosed || rows[0]?.held !== true) {
        await next.end();
        return again();
      }
      client = next;
      held = true;
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
    isHeld: () => held,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      const last = client;
      client = undefined;
      await last?.end();
    },
  };
}

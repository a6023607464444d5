import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import type { Database } from '../../store/database.ts';
import { WRITER_LOCK } from './writer-lock.ts';

export interface RecordCounts {
  readonly plans: number;
  readonly executions: number;
  readonly proofs: number;
  readonly mutations: number;
}

/**
 * Whether a committed write survives a crash of the server and of its machine. Without full_page_writes a crash in the
 * middle of a page leaves it torn, and the log cannot repair it.
 */
export async function readDurability(database: Database): Promise<boolean> {
  const { rows } = await sql<{ isDurable: boolean }>`
    SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'
      AND current_setting('synchronous_commit') <> 'off' AS "isDurable"`.execute(database);
  return rows[0]?.isDurable === true;
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

/** Writes, commits, and reads back what was written. */
export async function probeCommit(database: Database): Promise<boolean> {
  const value = uuidv4();
  await database.updateTable('verification.probe').set({ value }).execute();
  const row = await database.selectFrom('verification.probe').select('value').executeTakeFirstOrThrow();
  return row.value === value;
}

/** Whether that session of the database holds the writer's lock now. */
export async function holdsWriterLock(database: Database, session: number | undefined): Promise<boolean> {
  if (session === undefined) return false;
  const { rows } = await sql<{ isHeld: boolean }>`
    SELECT EXISTS (SELECT FROM pg_locks
      WHERE locktype = 'advisory' AND classid = 0 AND objid = ${WRITER_LOCK}::bigint::oid AND objsubid = 1
        AND granted AND pid = ${session}) AS "isHeld"`.execute(database);
  return rows[0]?.isHeld === true;
}

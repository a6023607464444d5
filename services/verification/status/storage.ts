import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
import { WRITER_LOCK } from './writer-lock.ts';

export interface RecordCounts {
  readonly plans: number;
  readonly executions: number;
  readonly proofs: number;
  readonly mutations: number;
}

/**
 * Whether a committed write survives a crash of the server and of its machine. Without full_page_writes, a crash during
 * the write of a page leaves a torn page that the log cannot repair.
 */
export async function readDurability(database: Database): Promise<boolean> {
  const { rows } = await sql<{ isDurable: boolean }>`
    SELECT current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on'
      AND current_setting('synchronous_commit') <> 'off' AS "isDurable"`.execute(database);
  return onlyRow(rows).isDurable;
}

export async function countRecords(database: Database): Promise<RecordCounts> {
  const { rows } = await sql<RecordCounts>`
    SELECT plans::float8, executions::float8, proofs::float8, mutations::float8
    FROM verification.count_records()`.execute(database);
  return onlyRow(rows);
}

/** Writes a value, commits it, and reads it back. */
export async function probeCommit(database: Database): Promise<boolean> {
  const value = uuidv4();
  await database.updateTable('verification.probe').set({ value }).execute();
  const row = await database.selectFrom('verification.probe').select('value').executeTakeFirstOrThrow();
  return row.value === value;
}

/** Whether this session of the database has the writer's lock. */
export async function holdsWriterLock(database: Database, session: number | undefined): Promise<boolean> {
  if (session === undefined) return false;
  const { rows } = await sql<{ isHeld: boolean }>`
    SELECT EXISTS (SELECT FROM pg_locks
      WHERE locktype = 'advisory' AND classid = 0 AND objid = ${WRITER_LOCK}::bigint::oid AND objsubid = 1
        AND granted AND pid = ${session}) AS "isHeld"`.execute(database);
  return onlyRow(rows).isHeld;
}

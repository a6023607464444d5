import { type Kysely, sql } from 'kysely';
import { onlyRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** The latest epoch in which the log of proofs may be signed. */
export interface LogEpoch {
  /** The database of that epoch, and the current one. They differ after a restore, and then nothing is signed. */
  readonly recorded: string;
  readonly current: string;
  /** The end of the log's name. Null: it has its first name. */
  readonly suffix: string | null;
}

/** What operators are told when nothing is signed because the database is another one. */
export const LOG_CLOSED =
  'the log of proofs is closed, because the database was restored or moved: run tollhouse proofs accept';

export async function readLogEpoch(database: Kysely<Tables>): Promise<LogEpoch> {
  const { rows } = await sql<LogEpoch>`SELECT * FROM verification.read_log_epoch()`.execute(database);
  return onlyRow(rows);
}

export const isLogOpen = ({ recorded, current }: LogEpoch): boolean => recorded === current;

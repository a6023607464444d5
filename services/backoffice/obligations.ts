import { sql } from 'kysely';
import type { Database } from '../store/database.ts';

/** Retained payments that are not resolved yet. */
export interface Obligations {
  /**
   * Takes obligations that are due and postpones them, each time for longer. So another copy does not take them, and if
   * this copy dies they are due again later.
   * @returns ids of their records
   */
  takeDue(limit: number): Promise<readonly string[]>;
  /** Deletes obligations that are fulfilled. */
  delete(recordIds: readonly string[]): Promise<void>;
}

/** Seconds until an obligation is due again after the first attempt. They double with every attempt. */
const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 3600;

export function createObligations(database: Database): Obligations {
  return {
    async takeDue(limit) {
      const { rows } = await sql<{ recordId: string }>`
        UPDATE obligation SET attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs =>
          least(${MAX_RETRY_SECONDS}, ${FIRST_RETRY_SECONDS} * power(2, least(attempts, 16))))
        WHERE record_id IN (
          SELECT record_id FROM obligation WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT ${limit}
          FOR UPDATE SKIP LOCKED)
        RETURNING record_id AS "recordId"`.execute(database);
      return rows.map(({ recordId }) => recordId);
    },
    async delete(recordIds) {
      await database.deleteFrom('obligation').where('record_id', 'in', recordIds).execute();
    },
  };
}

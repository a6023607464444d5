import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import { type ActBy, type OperatorAct, recordAct } from '../../store/operator-acts.ts';
import { listDayPartitions, lockPartitions } from './partitions.ts';

const BATCH = 1000;

/**
 * Deletes the bodies that are sealed with a key, the held ones too. Its start and its end are recorded in the audit trail.
 * It may be stopped and repeated, and run while calls are retained and days are deleted. @returns their number
 */
export async function deleteBodiesOfKey(database: Database, keyId: string, by: ActBy): Promise<number> {
  const act = { ...by, action: 'retention.delete', subject: keyId };
  const record = (detail: OperatorAct['detail']) =>
    database.transaction().execute((transaction) => recordAct(transaction, { ...act, detail }));
  await record({ state: 'started' });
  const days = await listDayPartitions(database);
  // The held ones come last: a body is held before its partition is dropped.
  const places = [
    ...days.map(({ day }) => sql`retained_body WHERE day = ${day}::date AND`),
    sql`retained_body_held WHERE`,
  ];
  let deleted = 0;
  for (const place of places) {
    let batch: number;
    do {
      batch = await database.transaction().execute(async (transaction) => {
        // Otherwise a body that is being held could stay.
        await lockPartitions(transaction);
        const { rows } = await sql<{ id: string }>`DELETE FROM ${place} record_id IN
          (SELECT record_id FROM ${place} key_id = ${keyId} LIMIT ${BATCH}) RETURNING record_id AS id`.execute(
          transaction,
        );
        // A body that is being held is in both tables, and counts once.
        await sql`DELETE FROM retained_body_held WHERE record_id = ANY(${rows.map(({ id }) => id)}::uuid[])`.execute(
          transaction,
        );
        return rows.length;
      });
      deleted += batch;
    } while (batch > 0);
  }
  await record({ state: 'ended', deleted });
  return deleted;
}

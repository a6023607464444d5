import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import { type OperatorAct, recordAct } from '../../store/operator-acts.ts';
import { listDayPartitions, lockPartitions } from './partitions.ts';

const BATCH = 1000;

/**
 * Deletes the bodies that are sealed with a key, the held ones too. Its start and its end are recorded in the audit trail.
 * It may be stopped and repeated, and run while calls are retained and days are deleted. @returns their number
 */
export async function deleteBodiesOfKey(
  database: Database,
  keyId: string,
  by: Pick<OperatorAct, 'operator' | 'reason'>,
): Promise<number> {
  const act = { ...by, action: 'retention.delete', subject: keyId };
  const record = (detail: OperatorAct['detail']) =>
    database.transaction().execute((transaction) => recordAct(transaction, { ...act, detail }));
  await record({ state: 'started' });
  let deleted = 0;
  for (const { day } of await listDayPartitions(database)) {
    deleted += await deleteRows(database, sql`retained_body`, sql`day = ${day}::date AND key_id = ${keyId}`);
  }
  // In this order: a body is held before its partition is dropped.
  deleted += await deleteRows(database, sql`retained_body_held`, sql`key_id = ${keyId}`);
  await record({ state: 'ended', deleted });
  return deleted;
}

async function deleteRows(database: Database, table: RawBuilder<unknown>, where: RawBuilder<unknown>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { numAffectedRows } = await database.transaction().execute(async (transaction) => {
      // Otherwise a body that is being held could stay.
      await lockPartitions(transaction);
      return sql`DELETE FROM ${table} WHERE ${where}
        AND record_id IN (SELECT record_id FROM ${table} WHERE ${where} LIMIT ${BATCH})`.execute(transaction);
    });
    if (numAffectedRows === 0n || numAffectedRows === undefined) return deleted;
    deleted += Number(numAffectedRows);
  }
}

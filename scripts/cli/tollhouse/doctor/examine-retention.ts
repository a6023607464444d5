import { listOverdueDays } from '../../../../services/backoffice/retention/retention-status.ts';
import type { Database } from '../../../../services/store/database.ts';
import { type Finding, ok, warning } from './finding.ts';

/** The back office deletes once an hour. */
const GRACE_MS = 2 * 3_600_000;

/** @param days RETENTION_DAYS */
export async function examineRetention(database: Database, days: number): Promise<Finding> {
  const overdue = await listOverdueDays(database, { days, nowMs: Date.now() - GRACE_MS });
  const check = 'retention.deletion';
  if (overdue.length === 0) return ok(check, `no day is kept for longer than RETENTION_DAYS=${days}`);
  const found = `${overdue.length} days should be deleted by RETENTION_DAYS=${days}: ${overdue.join(', ')}`;
  return warning(check, found, 'check that the back office runs with the same RETENTION_DAYS, and look at its log');
}

import { describeRows, readKeyUses } from '../../../../services/backoffice/retention/key-uses.ts';
import { listOverdueDays } from '../../../../services/backoffice/retention/retention-status.ts';
import { LOCAL_KEY, parseNamedKeys } from '../../../../services/platform/process/named-keys.ts';
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

/** What each key has sealed, and whether these settings have the key. */
export async function examineKeys(database: Database, environment: NodeJS.ProcessEnv): Promise<readonly Finding[]> {
  const uses = await readKeyUses(database);
  return uses.map(({ variable, keyId, rows }) => {
    const check = `keys.${variable === 'RETENTION_KEYS' ? 'retention' : 'authorization'}`;
    const found = `the key ${keyId} has sealed ${describeRows({ rows })}`;
    const configured = parseNamedKeys(variable, environment[variable])?.map(({ id }) => id) ?? [LOCAL_KEY];
    if (configured.includes(keyId)) return ok(check, found);
    return warning(
      check,
      `${found}, and ${variable} does not have it`,
      `add it to ${variable}, or see docs/operations/retention.md`,
    );
  });
}

import { sql } from 'kysely';
import type { Database } from './database.ts';
import { adoptFingerprintKey, KNOWN_KEY_CHECK } from './fingerprint-key.ts';
import { type ActBy, lockActs, recordAct } from './operator-acts.ts';
import { onlyRow } from './rows.ts';

/** Whether an operator has stopped new paid and trial calls. */
export interface CallFreeze {
  readonly isFrozen: boolean;
  /** Who changed it last, when and why. Undefined if nobody ever did. */
  readonly changed: { readonly operator: string; readonly reason: string; readonly at: Date } | undefined;
}

const SUBJECT = 'calls';
const FREEZE = 'calls.freeze';
const UNFREEZE = 'calls.unfreeze';

interface Row {
  readonly action: string;
  readonly operator: string;
  readonly reason: string;
  readonly at: Date;
}

/** The audit trail itself is the state: no freeze is without its act, and no act without its effect. */
export async function readCallFreeze(database: Database): Promise<CallFreeze> {
  const { rows } = await sql<Row>`
    SELECT action, operator, reason, acted_at AS at FROM operator_act
    WHERE subject = ${SUBJECT} AND action IN (${FREEZE}, ${UNFREEZE}) ORDER BY sequence DESC LIMIT 1`.execute(database);
  const [row] = rows;
  if (row === undefined) return { isFrozen: false, changed: undefined };
  const { action, ...changed } = row;
  return { isFrozen: action === FREEZE, changed };
}

/** What gateways ask twice a second, in one statement. */
export async function readCallState(
  database: Database,
  keyCheck: string,
): Promise<{ readonly isFrozen: boolean; readonly isFingerprintKey: boolean }> {
  const { rows } = await sql<{ action: string | null; known: string | null }>`
    SELECT (SELECT action FROM operator_act WHERE subject = ${SUBJECT} AND action IN (${FREEZE}, ${UNFREEZE})
      ORDER BY sequence DESC LIMIT 1) AS action, ${KNOWN_KEY_CHECK} AS known`.execute(database);
  const { action, known } = onlyRow(rows);
  const isFingerprintKey = known === null ? await adoptFingerprintKey(database, keyCheck) : known === keyCheck;
  return { isFrozen: action === FREEZE, isFingerprintKey };
}

/**
 * Stops new calls, or takes them again. Gateways follow within a second. A change that is made already is not recorded
 * twice.
 */
export async function setCallFreeze(database: Database, isFrozen: boolean, by: ActBy): Promise<CallFreeze> {
  return database.transaction().execute(async (transaction) => {
    await lockActs(transaction);
    const before = await readCallFreeze(transaction);
    if (before.isFrozen === isFrozen) return before;
    await recordAct(transaction, { ...by, action: isFrozen ? FREEZE : UNFREEZE, subject: SUBJECT, detail: {} });
    return readCallFreeze(transaction);
  });
}

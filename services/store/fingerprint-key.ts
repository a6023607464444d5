import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { type ActBy, lockActs, recordAct } from './operator-acts.ts';
import type { Tables } from './tables.ts';

const SUBJECT = 'fingerprint-key';
const ADOPT = 'calls.adopt-key';
const FORGET = 'calls.forget-key';

/** The check value of the key that gateways make fingerprints with; null if none is known. The latest act says it. */
export const KNOWN_KEY_CHECK = sql<string | null>`(SELECT detail::json ->> 'check' FROM operator_act
  WHERE subject = ${SUBJECT} AND action IN (${ADOPT}, ${FORGET}) ORDER BY sequence DESC LIMIT 1)`;

async function readKnown(database: Database | Transaction<Tables>): Promise<string | undefined> {
  const { rows } = await sql<{ check: string | null }>`SELECT ${KNOWN_KEY_CHECK} AS check`.execute(database);
  return rows[0]?.check ?? undefined;
}

/** Takes the key of a gateway if none is known. @returns whether it is the key that the records' fingerprints were made with */
export async function adoptFingerprintKey(database: Database, check: string): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockActs(transaction);
    const taken = await readKnown(transaction);
    if (taken !== undefined) return taken === check;
    const by = { operator: 'gateway', reason: 'no key was known' };
    await recordAct(transaction, { ...by, action: ADOPT, subject: SUBJECT, detail: { check } });
    return true;
  });
}

/** The key of the next gateway that asks is taken. @returns whether one was known */
export async function forgetFingerprintKey(database: Database, by: ActBy): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    await lockActs(transaction);
    if ((await readKnown(transaction)) === undefined) return false;
    await recordAct(transaction, { ...by, action: FORGET, subject: SUBJECT, detail: {} });
    return true;
  });
}

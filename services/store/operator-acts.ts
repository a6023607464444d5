import { createHash } from 'node:crypto';
import { sql, type Transaction } from 'kysely';
import type { Database } from './database.ts';
import { onlyRow } from './rows.ts';
import type { Tables } from './tables.ts';

/** What an operator did. The audit trail keeps it for good. */
export interface OperatorAct {
  /** Name of the person or program. */
  readonly operator: string;
  /** What was done: words of lower-case letters, joined by dots, such as `payments.refund`. */
  readonly action: string;
  /** The id or address that it was done to. */
  readonly subject: string;
  readonly reason: string;
  /** JSON members with more details. Never a body, a signature or a key. */
  readonly detail: Readonly<Record<string, string | number | boolean>>;
}

/** Who acts, and why. */
export type ActBy = Pick<OperatorAct, 'operator' | 'reason'>;

export interface RecordedAct extends Omit<OperatorAct, 'detail'> {
  /** Gapless from 1. */
  readonly sequence: bigint;
  readonly actedAt: Date;
  /** JSON text. */
  readonly detail: string;
}

interface Row extends RecordedAct {
  readonly hash: Buffer;
}

const NO_HASH = Buffer.alloc(32);

/**
 * Appends an act to the audit trail. It is recorded if and only if the transaction commits, so that no act without a
 * record can take effect.
 */
export async function recordAct(transaction: Transaction<Tables>, act: OperatorAct): Promise<void> {
  await lockActs(transaction);
  const { rows } = await sql<{ actedAt: Date }>`
    SELECT date_trunc('milliseconds', clock_timestamp()) AS "actedAt"`.execute(transaction);
  const { actedAt } = onlyRow(rows);
  const last = await transaction
    .selectFrom('operator_act')
    .select(['sequence', 'hash'])
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirst();
  const sequence = last === undefined ? 1n : last.sequence + 1n;
  const recorded: RecordedAct = { ...act, sequence, actedAt, detail: JSON.stringify(act.detail) };
  await transaction
    .insertInto('operator_act')
    .values({
      sequence,
      acted_at: actedAt,
      operator: act.operator,
      action: act.action,
      subject: act.subject,
      reason: act.reason,
      detail: recorded.detail,
      hash: hashOf(recorded, last?.hash ?? NO_HASH),
    })
    .execute();
}

/** Waits for other acts, and keeps them waiting until the transaction ends: the chain has one end. */
export async function lockActs(transaction: Transaction<Tables>): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('operator_act'))`.execute(transaction);
}

/** The latest acts, the newest first: of one subject, or of all. */
export async function listActs(
  database: Database,
  { subject, limit }: { readonly subject?: string | undefined; readonly limit: number },
): Promise<readonly RecordedAct[]> {
  const rows = await selectActs(database)
    .$if(subject !== undefined, (query) => query.where('subject', '=', String(subject)))
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ hash, ...act }) => act);
}

const PAGE = 1000;

/** Checks the chain of hashes. Returns the sequence of the first act that was changed or is missing, or undefined. */
export async function findBrokenAct(database: Database): Promise<bigint | undefined> {
  let before: Buffer = NO_HASH;
  let expected = 1n;
  for (;;) {
    const rows = await selectActs(database).where('sequence', '>=', expected).orderBy('sequence').limit(PAGE).execute();
    for (const { hash, ...act } of rows) {
      if (act.sequence !== expected || !hash.equals(hashOf(act, before))) return expected;
      before = hash;
      expected += 1n;
    }
    if (rows.length < PAGE) return undefined;
  }
}

function selectActs(database: Database) {
  return database
    .selectFrom('operator_act')
    .select(['sequence', 'acted_at as actedAt', 'operator', 'action', 'subject', 'reason', 'detail', 'hash'])
    .$castTo<Row>();
}

function hashOf({ sequence, actedAt, operator, action, subject, reason, detail }: RecordedAct, before: Buffer): Buffer {
  const fields = [String(sequence), actedAt.toISOString(), operator, action, subject, reason, detail];
  return createHash('sha256').update(before).update(JSON.stringify(fields)).digest();
}

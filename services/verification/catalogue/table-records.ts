import { sql } from 'kysely';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { onlyRow } from '../../store/rows.ts';
import { digestBytes } from '../proof/digests.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';

/** Quota of a tenant. */
const MAX_TABLES = 1000;
const MAX_BYTES = 256 * 1024 * 1024;

/** A stored table. */
export interface TableRecord {
  readonly sha256: string;
  readonly rows: number;
  /** RFC 3339, UTC, with microseconds. */
  readonly createdAt: string;
}

/** The text of a table, for the solver. */
export interface TableText {
  readonly sha256: string;
  readonly text: string;
}

interface NewTable {
  readonly content: Buffer;
  readonly sha256: string;
  readonly rows: number;
  readonly caller: Caller;
}

/** Stores a table, unless the tenant has it already. @throws {ServiceError} TOO_MANY_TABLES */
export async function keepTable(
  transaction: TenantTransaction,
  { content, sha256, rows, caller }: NewTable,
): Promise<TableRecord> {
  const before = await findTable(transaction, sha256);
  if (before !== undefined) return before;
  // Uploads of one tenant are counted one after the other.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${caller.tenantId}, 19))`.execute(transaction);
  await assertRoom(transaction, content.length);
  await transaction
    .insertInto('verification.plan_table')
    .values({ tenant_id: caller.tenantId, sha256, rows, content, created_by: caller.keyId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await findTable(transaction, sha256);
  const back = await findContent(transaction, sha256);
  assertStored(back && digestBytes(back), sha256);
  if (stored === undefined) throw new Error('a table was not stored');
  return stored;
}

async function assertRoom(transaction: TenantTransaction, more: number): Promise<void> {
  const { rows } = await sql<{ tables: number; bytes: number }>`
    SELECT count(*)::int AS tables, coalesce(sum(octet_length(content)), 0)::float8 AS bytes
    FROM verification.plan_table`.execute(transaction);
  const { tables, bytes } = onlyRow(rows);
  if (tables >= MAX_TABLES) throw new ServiceError('TOO_MANY_TABLES', `a tenant has at most ${MAX_TABLES} tables`);
  if (bytes + more <= MAX_BYTES) return;
  throw new ServiceError('TOO_MANY_TABLES', `the tables of a tenant have at most ${MAX_BYTES} bytes together`);
}

async function findTable(transaction: TenantTransaction, sha256: string): Promise<TableRecord | undefined> {
  const { rows } = await sql<TableRecord>`
    SELECT sha256, rows, verification.to_text(created_at) AS "createdAt"
    FROM verification.plan_table WHERE sha256 = ${sha256}`.execute(transaction);
  return rows[0];
}

/** The bytes of a table. */
export async function findContent(transaction: TenantTransaction, sha256: string): Promise<Buffer | undefined> {
  const row = await transaction
    .selectFrom('verification.plan_table')
    .select('content')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row?.content;
}

export interface TableSize {
  readonly sha256: string;
  readonly size: number;
}

/** Which of these tables are stored, and their bytes. */
export async function findSizes(
  transaction: TenantTransaction,
  hashes: readonly string[],
): Promise<readonly TableSize[]> {
  if (hashes.length === 0) return [];
  const { rows } = await sql<TableSize>`
    SELECT sha256, octet_length(content) AS size FROM verification.plan_table WHERE sha256 = ANY (${hashes})`.execute(
    transaction,
  );
  return rows;
}

/** The texts of stored tables, by hash. One that is not stored is left out. */
export async function findTableTexts(
  transaction: TenantTransaction,
  hashes: readonly string[],
): Promise<readonly TableText[]> {
  const texts: TableText[] = [];
  for (const sha256 of [...new Set(hashes)].sort()) {
    const content = await findContent(transaction, sha256);
    if (content !== undefined) texts.push({ sha256, text: content.toString('utf8') });
  }
  return texts;
}

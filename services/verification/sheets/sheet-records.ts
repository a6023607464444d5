import { sql } from 'kysely';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { SheetDocument } from '../../../workers/exact/sheet-schema.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { compareVersions } from '../catalogue/compare-versions.ts';
import { digestCanonical } from '../proof/digests.ts';
import type { Caller } from '../tenants/keys.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import type { SheetName, SheetRecord } from './sheet-record.ts';
import { SHIPPED_SHEETS } from './shipped-sheets.ts';

export const MAX_SHEET_BYTES = 65_536;
/** Limit of one tenant: all its sheets are listed in one answer. */
const MAX_SHEETS = 1000;

/** Finds a sheet of the service or of the tenant. */
export async function findSheet(
  transaction: TenantTransaction,
  { name, version }: SheetName,
): Promise<SheetRecord | undefined> {
  const shipped = SHIPPED_SHEETS.find((sheet) => sheet.name === name && sheet.version === version);
  if (shipped !== undefined) return shipped;
  const { rows } = await sql<SheetRecord>`
    SELECT name, version, title, document, sha256, verification.to_text(created_at) AS "createdAt"
    FROM verification.sheet WHERE name = ${name} AND version = ${version}`.execute(transaction);
  return rows[0];
}

/** Texts of the existing sheets that a plan names. The plan's hashes are compared by the solver. */
export async function findSheetTexts(transaction: TenantTransaction, plan: unknown): Promise<readonly string[]> {
  const named = new Map(namesIn(plan).map((sheet) => [`${sheet.name}@${sheet.version}`, sheet]));
  const texts: string[] = [];
  for (const sheet of named.values()) {
    const found = await findSheet(transaction, sheet);
    if (found !== undefined) texts.push(found.document);
  }
  return texts;
}

/** Texts of all sheets that a plan may use. */
export async function listSheetTexts(transaction: TenantTransaction): Promise<readonly string[]> {
  const rows = await transaction.selectFrom('verification.sheet').select('document').execute();
  return [...SHIPPED_SHEETS, ...rows].map(({ document }) => document);
}

const MAX_USES = 32;

const Uses = Compile(Type.Object({ sheets: Type.Array(Type.Unknown(), { maxItems: MAX_USES }) }));
const Use = Compile(Type.Object({ name: Type.String(), version: Type.String() }));

/** The sheets that an unchecked plan names. The solver reports what is malformed. */
function namesIn(plan: unknown): readonly SheetName[] {
  return Uses.Check(plan) ? plan.sheets.filter((use) => Use.Check(use)) : [];
}

/** By name and version. */
export async function listSheets(transaction: TenantTransaction): Promise<readonly Omit<SheetRecord, 'document'>[]> {
  const { rows } = await sql<Omit<SheetRecord, 'document'>>`
    SELECT name, version, title, sha256, verification.to_text(created_at) AS "createdAt"
    FROM verification.sheet`.execute(transaction);
  return [...SHIPPED_SHEETS, ...rows].toSorted(byName);
}

function byName(one: SheetName, other: SheetName): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return compareVersions(one.version, other.version);
}

interface NewSheet {
  readonly sheet: SheetDocument;
  /** Its canonical text. */
  readonly document: string;
  readonly caller: Caller;
}

/**
 * Stores a sheet, unless it is stored already.
 * @throws {ServiceError} SHEET_EXISTS if another sheet has its name and version, TOO_MANY_SHEETS
 */
export async function keepSheet(
  transaction: TenantTransaction,
  { sheet, document, caller }: NewSheet,
): Promise<SheetRecord> {
  const { name, version, title } = sheet;
  const sha256 = digestCanonical('sheet', Buffer.from(document));
  const row = { name, version, title, document, sha256 };
  await transaction
    .insertInto('verification.sheet')
    .values({ ...row, tenant_id: caller.tenantId, created_by: caller.keyId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const stored = await findSheet(transaction, sheet);
  if (stored !== undefined && stored.sha256 !== sha256) {
    const message = `another sheet is ${name}@${version}, with the hash ${stored.sha256}: give this one another version`;
    throw new ServiceError('SHEET_EXISTS', message);
  }
  if (stored === undefined) throw new Error('a sheet was not stored');
  assertStored(digestCanonical('sheet', Buffer.from(stored.document)), sha256);
  await assertRoom(transaction);
  return { ...row, createdAt: stored.createdAt };
}

async function assertRoom(transaction: TenantTransaction): Promise<void> {
  const { count } = await transaction
    .selectFrom('verification.sheet')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow();
  if (count > MAX_SHEETS) throw new ServiceError('TOO_MANY_SHEETS', `a tenant has at most ${MAX_SHEETS} sheets`);
}

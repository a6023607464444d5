import { sql } from 'kysely';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Database } from '../../store/database.ts';
import { type ActBy, recordAct } from '../../store/operator-acts.ts';
import { SERVICE_ROLE } from '../../store/preparation.ts';
import { assertStored } from '../../store/read-back.ts';
import { setTenant, type TenantTransaction } from '../tenants/transaction.ts';
import { foldToolName } from './fold-tool-name.ts';
import { assertCounted, assertSame, keepTool, lockCatalogue, rowOf } from './keep-tool.ts';
import type { ToolText } from './tool-document.ts';
import { readToolList } from './tool-list.ts';
import { type CatalogueEntry, findTool, listCatalogue } from './tool-records.ts';

/** An act of the operator, on a connection of the owner. */
export interface ToolImport {
  readonly tools: readonly ToolText[];
  /** Undefined: the descriptions are for all tenants. */
  readonly tenantId: string | undefined;
  readonly by: ActBy;
}

/**
 * Imports descriptions, all or none. One that is stored already stays as it is.
 * @returns how many are new
 * @throws {ServiceError} TOOL_EXISTS, TOO_MANY_TOOLS, TOOL_NAME_CONFUSABLE; a database error for an unknown tenant
 */
export function importTools(database: Database, { tools, tenantId, by }: ToolImport): Promise<number> {
  return database.transaction().execute(async (transaction) => {
    await lockCatalogue(transaction);
    const before = await countTools(transaction);
    if (tenantId === undefined) for (const tool of tools) await addForAll(transaction, tool);
    else await asService(transaction, tenantId, () => addForTenant(transaction, tools, tenantId));
    const added = (await countTools(transaction)) - before;
    await recordAct(transaction, {
      ...by,
      action: 'verification.tools.import',
      subject: tenantId ?? 'all tenants',
      detail: { given: tools.length, added },
    });
    return added;
  });
}

/** The descriptions of the operator, or those that count for a tenant, on a connection of the owner. */
export function listTools(database: Database, tenantId: string | undefined): Promise<readonly CatalogueEntry[]> {
  return database.transaction().execute(async (transaction) => {
    if (tenantId !== undefined) return asService(transaction, tenantId, () => listCatalogue(transaction));
    const entries = await listCatalogue(transaction);
    return entries.filter(({ origin }) => origin === 'operator');
  });
}

/** Row-level security does not bind every owner. In the role of the service, `work` sees the tenant's rows only. */
async function asService<Result>(
  transaction: TenantTransaction,
  tenantId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  await sql`SET LOCAL ROLE ${sql.id(SERVICE_ROLE)}`.execute(transaction);
  await setTenant(transaction, tenantId);
  const result = await work();
  await sql`RESET ROLE`.execute(transaction);
  return result;
}

async function countTools(transaction: TenantTransaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT ((SELECT count(*) FROM verification.tool) + (SELECT count(*) FROM verification.operator_tool))::int AS count
  `.execute(transaction);
  return rows.reduce((sum, { count }) => sum + count, 0);
}

async function addForTenant(
  transaction: TenantTransaction,
  tools: readonly ToolText[],
  tenantId: string,
): Promise<void> {
  const owner = { tenantId, keyId: null };
  for (const [index, tool] of tools.entries()) {
    // The setting TOOL_EFFECTS belongs to the service, which applies it when a plan uses the description.
    await keepTool(transaction, tool, { owner, list: readToolList(''), path: `/${index}` });
  }
}

async function addForAll(transaction: TenantTransaction, text: ToolText): Promise<void> {
  const { name } = text.tool;
  const folded = foldToolName(name);
  const others = await transaction
    .selectFrom('verification.operator_tool')
    .select('name')
    .where('name_folded', '=', folded)
    .execute();
  const other = others.find((each) => each.name !== name);
  if (other !== undefined) {
    throw new ServiceError(
      'TOOL_NAME_CONFUSABLE',
      `${name} can be mistaken for ${other.name}, which is described already`,
    );
  }
  const before = await findTool(transaction, text.tool);
  if (before?.origin === 'operator') {
    assertSame(before, text.sha256);
    return;
  }
  const entries = await listCatalogue(transaction);
  await assertCounted(
    transaction,
    text.tool,
    entries.filter(({ origin }) => origin === 'operator'),
  );
  await transaction.insertInto('verification.operator_tool').values(rowOf(text)).execute();
  assertStored((await findTool(transaction, text.tool))?.document, text.document);
}

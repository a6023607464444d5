import { sql } from 'kysely';
import { defined } from '../../../workers/exact/defined.ts';
import type { ToolDocument } from '../../../workers/exact/tool-schema.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { assertStored } from '../../store/read-back.ts';
import { at } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { assertDescription } from './check-tools.ts';
import { foldToolName } from './fold-tool-name.ts';
import { plannedIdentityAt } from './plan-tools.ts';
import { readTool, type ToolText } from './tool-document.ts';
import type { ToolList } from './tool-list.ts';
import { type CatalogueEntry, type CatalogueTool, findTool, listCatalogue } from './tool-records.ts';

/** Limit of one tenant: all its descriptions are listed in one answer. */
export const MAX_TOOLS = 1000;

/** Where a description belongs. `keyId`: null if the operator imports it for the tenant. */
export interface ToolOwner {
  readonly tenantId: string;
  readonly keyId: string | null;
}

/**
 * Stores a description for a tenant, unless it is stored already.
 * @param list the operator's setting, without any catalogue
 * @throws {ServiceError} TOOL_EXISTS, TOO_MANY_TOOLS, TOOL_NAME_CONFUSABLE, EFFECT_UNDERSTATED, IDENTITY_MISPLACED
 */
export async function keepTool(
  transaction: TenantTransaction,
  { tool, document, sha256 }: ToolText,
  { owner, list, path }: { readonly owner: ToolOwner; readonly list: ToolList; readonly path: string },
): Promise<CatalogueTool> {
  await lockCatalogue(transaction);
  const entries = await listCatalogue(transaction);
  assertNotOperators(tool.name, entries, path);
  const before = await findTool(transaction, tool);
  if (before !== undefined) return assertSame(before, sha256);
  await assertCounted(transaction, tool, entries);
  // Other versions of the tool do not bind this one: only the operator's setting does.
  assertDescription(tool, list.with(entries.filter(({ name }) => name !== tool.name)), path);
  if (entries.filter(({ origin }) => origin === 'tenant').length >= MAX_TOOLS) {
    throw new ServiceError('TOO_MANY_TOOLS', `a tenant has at most ${MAX_TOOLS} descriptions of tools`);
  }
  await transaction
    .insertInto('verification.tool')
    .values({ ...rowOf({ tool, document, sha256 }), tenant_id: owner.tenantId, created_by: owner.keyId })
    .execute();
  const stored = await findTool(transaction, tool);
  assertStored(stored?.document, document);
  if (stored === undefined) throw new Error('a tool was not stored');
  return stored;
}

/** Names are compared with all that are stored, so descriptions are added one after the other. */
export async function lockCatalogue(transaction: TenantTransaction): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('verification.tool'))`.execute(transaction);
}

export function rowOf({ tool, document, sha256 }: ToolText) {
  const { name, version, effect } = tool;
  const identity_at = plannedIdentityAt(tool) ?? null;
  return { name, version, name_folded: foldToolName(name), effect, identity_at, document, sha256 };
}

function assertNotOperators(name: string, entries: Awaited<ReturnType<typeof listCatalogue>>, path: string): void {
  const folded = foldToolName(name);
  const other = entries.find((entry) => entry.origin === 'operator' && foldToolName(entry.name) === folded);
  if (other === undefined) return;
  if (other.name === name) {
    throw new ServiceError(
      'TOOL_EXISTS',
      at(`${path}/name`, `the operator describes ${name} for all tenants: use that`),
    );
  }
  const message = `${name} can be mistaken for ${other.name}, which the operator describes: choose another name`;
  throw new ServiceError('TOOL_NAME_CONFUSABLE', at(`${path}/name`, message));
}

/**
 * Counters of limits go by the names of arguments. Under another name, an argument would be counted from zero, and acts under
 * earlier plans could not be counted for the new limits.
 * @throws {ServiceError} TOOL_EXISTS unless the tool has every argument that a limit of another version counts
 */
export async function assertCounted(
  transaction: TenantTransaction,
  { name, args }: ToolDocument,
  entries: readonly CatalogueEntry[],
): Promise<void> {
  const others = entries.filter((entry) => foldToolName(entry.name) === foldToolName(name));
  for (const other of others) {
    const { document } = defined(await findTool(transaction, other));
    const counted = readTool(JSON.parse(document), '').tool.limits.flatMap(({ of, per }) => [of, per]);
    const missing = counted.find((argument) => argument !== null && !Object.hasOwn(args, argument));
    if (missing === undefined) continue;
    const message = `a limit of ${other.name}@${other.version} counts its argument ${missing}: keep the argument, or describe a tool of another name`;
    throw new ServiceError('TOOL_EXISTS', message);
  }
}

export function assertSame(before: CatalogueTool, sha256: string): CatalogueTool {
  if (before.sha256 === sha256) return before;
  const message = `another description is ${before.name}@${before.version}, with the hash ${before.sha256}: give this one another version`;
  throw new ServiceError('TOOL_EXISTS', message);
}

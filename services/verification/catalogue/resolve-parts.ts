import { pointerToken } from '../../../workers/exact/json-pointer.ts';
import { MAX_TABLE_BYTES } from '../../../workers/exact/plan-schema.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { at, malformed } from '../tenants/requests.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { type NamedTool, tablesNamedBy, toolsNamedBy } from './named-parts.ts';
import { findSizes } from './table-records.ts';
import { type CatalogueEntry, findToolTexts, listCatalogue } from './tool-records.ts';

/** What an unchecked plan names, all of which is stored. */
export interface ResolvedParts {
  /** Texts of the descriptions of tools. */
  readonly tools: readonly string[];
  readonly catalogue: readonly CatalogueEntry[];
}

/**
 * Finds the descriptions and the tables that a new plan names.
 * @throws {ServiceError} UNKNOWN_TOOL, UNKNOWN_TABLE, MALFORMED_INPUT for tables that are too large together
 */
export async function resolveParts(transaction: TenantTransaction, plan: unknown): Promise<ResolvedParts> {
  const catalogue = await listCatalogue(transaction);
  const tools = toolsNamedBy(plan);
  for (const tool of tools) assertInCatalogue(tool, catalogue);
  await assertTables(
    transaction,
    tablesNamedBy(plan).map(({ name, sha256 }) => ({ path: `/plan/tables/${pointerToken(name)}/sha256`, sha256 })),
  );
  return { tools: await findToolTexts(transaction, tools), catalogue };
}

function assertInCatalogue({ name, version, sha256, index }: NamedTool, catalogue: readonly CatalogueEntry[]): void {
  const found = catalogue.find((entry) => entry.name === name && entry.version === version);
  if (found?.sha256 === sha256) return;
  const path = `/plan/tools/${index}`;
  if (found === undefined) {
    const versions = catalogue.filter((entry) => entry.name === name).map((entry) => entry.version);
    const others = versions.length === 0 ? '' : `; it has ${versions.join(', ')}`;
    throw new ServiceError('UNKNOWN_TOOL', at(path, `the catalogue has no description of ${name}@${version}${others}`));
  }
  const message = `the description of ${name}@${version} has the hash ${found.sha256}`;
  throw new ServiceError('UNKNOWN_TOOL', at(`${path}/sha256`, message));
}

/**
 * Finds out whether tables are stored, and are not too large together.
 * @throws {ServiceError} UNKNOWN_TABLE at the path of the table, MALFORMED_INPUT
 */
export async function assertTables(
  transaction: TenantTransaction,
  tables: readonly { readonly path: string; readonly sha256: string }[],
): Promise<void> {
  const hashes = [...new Set(tables.map(({ sha256 }) => sha256))];
  const found = await findSizes(transaction, hashes);
  const missing = tables.find(({ sha256 }) => !found.some((table) => table.sha256 === sha256));
  if (missing !== undefined) {
    const message = `no table with the hash ${missing.sha256} is stored: upload it with POST /api/v1/tables first`;
    throw new ServiceError('UNKNOWN_TABLE', at(missing.path, message));
  }
  const bytes = found.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= MAX_TABLE_BYTES) return;
  throw malformed('/plan/tables', `have more than ${MAX_TABLE_BYTES} bytes together`);
}

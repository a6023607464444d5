import { sql } from 'kysely';
import { defined } from '../../../workers/exact/defined.ts';
import type { TenantTransaction } from '../tenants/transaction.ts';
import { compareVersions } from './compare-versions.ts';
import { foldToolName } from './fold-tool-name.ts';
import type { NamedTool } from './named-parts.ts';
import type { Effect, ListedVersion, ToolList } from './tool-list.ts';

export type ToolOrigin = 'operator' | 'tenant';

/** A description of the catalogue, without its text. */
export interface CatalogueEntry extends ListedVersion {
  readonly sha256: string;
  readonly origin: ToolOrigin;
  /** RFC 3339, UTC, with microseconds. */
  readonly createdAt: string;
}

export interface CatalogueTool extends CatalogueEntry {
  /** JCS. */
  readonly document: string;
}

interface Row {
  readonly name: string;
  readonly version: string;
  readonly effect: Effect;
  readonly identity_at: string | null;
  readonly sha256: string;
  readonly origin: ToolOrigin;
  readonly created_at: string;
}

const COLUMNS = sql.raw(
  'name, version, name_folded, effect, identity_at, sha256, verification.to_text(created_at) AS created_at',
);

/**
 * The descriptions of the tenant and of the operator, by name and version. A description of the tenant does not count
 * if the operator has the name, or one that it can be mistaken for: the operator wins.
 */
export async function listCatalogue(transaction: TenantTransaction): Promise<readonly CatalogueEntry[]> {
  const { rows } = await sql<Row>`
    SELECT ${COLUMNS}, 'operator' AS origin FROM verification.operator_tool
    UNION ALL
    SELECT ${COLUMNS}, 'tenant' FROM verification.tool
    WHERE name_folded NOT IN (SELECT name_folded FROM verification.operator_tool)`.execute(transaction);
  return rows.map(toEntry).toSorted(byName);
}

const toEntry = ({ name, version, effect, identity_at, sha256, origin, created_at }: Row): CatalogueEntry => {
  return { name, version, effect, identityAt: identity_at ?? undefined, sha256, origin, createdAt: created_at };
};

function byName(one: CatalogueEntry, other: CatalogueEntry): number {
  if (one.name !== other.name) return one.name < other.name ? -1 : 1;
  return compareVersions(one.version, other.version);
}

/** The operator's setting together with the catalogue of the tenant. */
export async function findToolList(transaction: TenantTransaction, setting: ToolList): Promise<ToolList> {
  return setting.with(await listCatalogue(transaction));
}

/** Finds a description that counts. */
export async function findTool(
  transaction: TenantTransaction,
  { name, version }: Pick<NamedTool, 'name' | 'version'>,
): Promise<CatalogueTool | undefined> {
  const { rows } = await sql<Row & { readonly document: string }>`
    SELECT ${COLUMNS}, document, 'operator' AS origin FROM verification.operator_tool
    WHERE name = ${name} AND version = ${version}
    UNION ALL
    SELECT ${COLUMNS}, document, 'tenant' FROM verification.tool
    WHERE name = ${name} AND version = ${version}
      AND NOT EXISTS (SELECT FROM verification.operator_tool WHERE name_folded = ${foldToolName(name)})`.execute(
    transaction,
  );
  const [row] = rows;
  return row && { ...toEntry(row), document: row.document };
}

/** The texts of descriptions, in the given order. */
export async function textsOf(
  transaction: TenantTransaction,
  entries: readonly Pick<CatalogueEntry, 'sha256'>[],
): Promise<readonly string[]> {
  const found = await textsByHash(
    transaction,
    entries.map(({ sha256 }) => sha256),
  );
  return entries.map(({ sha256 }) => defined(found.get(sha256)));
}

/**
 * Texts of the descriptions that a plan names by hash, also of those that do not count any more: what was approved is
 * judged by what was approved. What is missing is left out.
 */
export async function findToolTexts(
  transaction: TenantTransaction,
  named: readonly NamedTool[],
): Promise<readonly string[]> {
  const hashes = [...new Set(named.map(({ sha256 }) => sha256))];
  return hashes.length === 0 ? [] : [...(await textsByHash(transaction, hashes)).values()];
}

async function textsByHash(
  transaction: TenantTransaction,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ sha256: string; document: string }>`
    SELECT sha256, document FROM verification.tool WHERE sha256 = ANY (${hashes})
    UNION ALL
    SELECT sha256, document FROM verification.operator_tool WHERE sha256 = ANY (${hashes})`.execute(transaction);
  return new Map(rows.map(({ sha256, document }) => [sha256, document]));
}

/** The newest description that counts of each of these names, and of the names that they can be mistaken for. */
export async function findNewest(
  transaction: TenantTransaction,
  names: readonly string[],
): Promise<readonly CatalogueTool[]> {
  const folded = new Set(names.map(foldToolName));
  const entries = (await listCatalogue(transaction)).filter(({ name }) => folded.has(foldToolName(name)));
  const newest = [...new Map(entries.map((entry) => [foldToolName(entry.name), entry])).values()];
  const found = await Promise.all(newest.map((entry) => findTool(transaction, entry)));
  return found.filter((tool) => tool !== undefined);
}

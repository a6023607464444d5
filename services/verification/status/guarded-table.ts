import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
import { findKey, type MutationKey, storeAnswer, takeKey } from '../mutations/guarded-mutation.ts';
import { PROBE_TENANT } from '../tenants/keys.ts';
import { inTenant, setTenant } from '../tenants/transaction.ts';

const TABLE = 'guarded_mutation';
/** Columns of the unique index that guards writes. */
export const GUARD = ['tenant_id', 'idempotency_key'] as const;

/** The guarded table as the database's catalog describes it. */
export interface GuardedTable {
  /** Null if the table does not exist. */
  readonly table: string | null;
  /** Whether row-level security limits the service to one tenant, in this table and in all with rows of tenants. */
  readonly isTenantBound: boolean;
  /** Columns of the unique index that guards writes; empty if there is none. */
  readonly uniqueOn: readonly string[];
  /** Whether all these tables survive a crash. A crash empties an unlogged table. */
  readonly isPermanent: boolean;
}

export async function readGuardedTable(database: Database): Promise<GuardedTable> {
  const tables = await readTenantTables(database);
  const [seesOthers, role, uniqueOn] = [
    await seesRows(database, tables),
    await readRole(database),
    await readUniqueColumns(database),
  ];
  return {
    table: tables.some(({ name }) => name === TABLE) ? TABLE : null,
    isTenantBound: role.isBound && !seesOthers && tables.every(({ isSecured }) => isSecured),
    uniqueOn,
    isPermanent: tables.every(({ isPermanent }) => isPermanent),
  };
}

interface TenantTable {
  readonly name: string;
  /** Whether row-level security is on, also for the table's owner. */
  readonly isSecured: boolean;
  readonly isPermanent: boolean;
}

/** The tables with rows of tenants that this role may read. */
async function readTenantTables(database: Database): Promise<readonly TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    SELECT class.relname AS name,
      class.relrowsecurity AND class.relforcerowsecurity AS "isSecured",
      class.relpersistence = 'p' AS "isPermanent"
    FROM pg_class AS class
    WHERE class.relnamespace = to_regnamespace('verification') AND class.relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = class.oid AND attname = 'tenant_id' AND NOT attisdropped)
      AND has_any_column_privilege(class.oid, 'SELECT')`.execute(database);
  return rows;
}

/** Whether a tenant that has no rows sees any. */
function seesRows(database: Database, tables: readonly TenantTable[]): Promise<boolean> {
  const found = tables.map(({ name }) => sql`EXISTS (SELECT FROM ${sql.table(`verification.${name}`)})`);
  return inTenant(database, uuidv4(), async (transaction) => {
    const { rows } = await sql<{ seen: boolean }>`
      SELECT ${sql.join([sql`false`, ...found], sql` OR `)} AS seen`.execute(transaction);
    return onlyRow(rows).seen;
  });
}

/** Whether row-level security applies to this role. It does not apply to superusers and roles that may bypass it. */
async function readRole(database: Database): Promise<{ readonly isBound: boolean }> {
  const { rows } = await sql<{ isBound: boolean }>`
    SELECT NOT rolsuper AND NOT rolbypassrls AS "isBound" FROM pg_roles WHERE rolname = current_user`.execute(database);
  return onlyRow(rows);
}

/** Columns of the unique index that guards writes. If it does not exist, those of the primary key, if any. */
async function readUniqueColumns(database: Database): Promise<readonly string[]> {
  const { rows } = await sql<{ columns: readonly string[]; isPrimary: boolean }>`
    SELECT array_agg(attribute.attname::text ORDER BY key.place) AS columns, index.indisprimary AS "isPrimary"
    FROM pg_index AS index
      CROSS JOIN LATERAL unnest(index.indkey::int2[]) WITH ORDINALITY AS key (attnum, place)
      JOIN pg_attribute AS attribute ON attribute.attrelid = index.indrelid AND attribute.attnum = key.attnum
    WHERE index.indrelid = to_regclass(${`verification.${TABLE}`})
      AND index.indisunique AND index.indisvalid AND index.indisready AND index.indimmediate
      AND index.indpred IS NULL AND index.indexprs IS NULL AND key.place <= index.indnkeyatts
    GROUP BY index.indexrelid, index.indisprimary
    HAVING bool_and(attribute.attnotnull)
    ORDER BY index.indexrelid`.execute(database);
  const guarding = rows.find(({ columns }) => isGuard(columns));
  const index = guarding ?? rows.find(({ isPrimary }) => isPrimary);
  return index === undefined ? [] : index.columns;
}

export const isGuard = (columns: readonly string[]): boolean =>
  columns.length === GUARD.length && GUARD.every((name) => columns.includes(name));

export interface GuardedWrite {
  /** Whether the written answer is read back in the same transaction. */
  readonly isReadBack: boolean;
  /** Whether a second attempt to take the same key fails. */
  readonly isTakenOnce: boolean;
  /** Whether another tenant does not see the row. */
  readonly isHidden: boolean;
}

/** Carries the result out of the transaction, which it rolls back. */
class RolledBack extends Error {
  readonly write: GuardedWrite;
  constructor(write: GuardedWrite) {
    super('the probe is rolled back');
    this.write = write;
  }
}

/** Makes a guarded write in the guarded table, and rolls it back. */
export async function probeGuardedWrite(database: Database): Promise<GuardedWrite> {
  const key: MutationKey = { tenantId: PROBE_TENANT, idempotencyKey: `status-probe-${uuidv4()}` };
  try {
    return await inTenant(database, PROBE_TENANT, async (transaction) => {
      if (!(await takeKey(transaction, key, '0'.repeat(64)))) throw new Error('the key of the probe is taken');
      await storeAnswer(transaction, key, '{}');
      const isReadBack = (await findKey(transaction, key))?.answer === '{}';
      const isTakenOnce = !(await takeKey(transaction, key, '0'.repeat(64)));
      await setTenant(transaction, uuidv4());
      const isHidden = (await findKey(transaction, key)) === undefined;
      throw new RolledBack({ isReadBack, isTakenOnce, isHidden });
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.write;
    throw error;
  }
}

import { sql } from 'kysely';
import { v4 as uuidv4 } from 'uuid';
import type { Database } from '../../store/database.ts';
import { findKey, type MutationKey, storeAnswer, takeKey } from '../mutations/guarded-mutation.ts';
import { PROBE_TENANT } from '../tenants/keys.ts';
import { inTenant, setTenant } from '../tenants/transaction.ts';

const TABLE = 'guarded_mutation';
/** What a write takes its idempotency key by. */
export const GUARD = ['tenant_id', 'idempotency_key'] as const;

/** The guarded table as the database's catalog describes it. */
export interface GuardedTable {
  /** Null where there is no such table. */
  readonly table: string | null;
  /** Whether row-level security holds the service to one tenant, in this table and in all that have rows of tenants. */
  readonly isTenantBound: boolean;
  /** Columns of the unique index that guards writes; empty where there is none. */
  readonly uniqueOn: readonly string[];
  /** Whether all these tables survive a crash: an unlogged table is emptied by it. */
  readonly isPermanent: boolean;
}

export async function readGuardedTable(database: Database): Promise<GuardedTable> {
  const [tables, role, uniqueOn] = [
    await readTenantTables(database),
    await readRole(database),
    await readUniqueColumns(database),
  ];
  return {
    table: tables.some(({ name }) => name === TABLE) ? TABLE : null,
    isTenantBound: role.isBound && tables.every(({ isSecured, isBound }) => isSecured && isBound),
    uniqueOn,
    isPermanent: tables.every(({ isPermanent }) => isPermanent),
  };
}

interface TenantTable {
  readonly name: string;
  /** Row-level security is on, for the table's owner as well. */
  readonly isSecured: boolean;
  /** Every policy that lets the service's role see or write rows asks for the transaction's tenant. */
  readonly isBound: boolean;
  readonly isPermanent: boolean;
}

/** Tables with rows of tenants which this role may read. */
async function readTenantTables(database: Database): Promise<readonly TenantTable[]> {
  const { rows } = await sql<TenantTable>`
    SELECT class.relname AS name,
      class.relrowsecurity AND class.relforcerowsecurity AS "isSecured",
      class.relpersistence = 'p' AS "isPermanent",
      NOT EXISTS (
        SELECT FROM pg_policies AS policy, unnest(ARRAY[policy.qual, policy.with_check]) AS condition
        WHERE policy.schemaname = 'verification' AND policy.tablename = class.relname
          AND policy.permissive = 'PERMISSIVE'
          AND EXISTS (
            SELECT FROM unnest(policy.roles) AS role
            WHERE CASE WHEN role = 'public' THEN true ELSE pg_has_role(role, 'USAGE') END)
          AND (condition NOT LIKE '%(tenant_id = verification.current_tenant())%' OR condition ~ '\mOR\M')
      ) AS "isBound"
    FROM pg_class AS class
    WHERE class.relnamespace = to_regnamespace('verification') AND class.relkind IN ('r', 'p')
      AND EXISTS (SELECT FROM pg_attribute
        WHERE attrelid = class.oid AND attname = 'tenant_id' AND NOT attisdropped)
      AND has_any_column_privilege(class.oid, 'SELECT')`.execute(database);
  return rows;
}

/** Row-level security does not bind a superuser, nor a role that may bypass it. */
async function readRole(database: Database): Promise<{ readonly isBound: boolean }> {
  const { rows } = await sql<{ isBound: boolean }>`
    SELECT NOT rolsuper AND NOT rolbypassrls AS "isBound" FROM pg_roles WHERE rolname = current_user`.execute(database);
  return { isBound: rows[0]?.isBound === true };
}

/** Of whole, valid unique indexes: the one that guards writes if it is there, otherwise that of the primary key. */
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
  return (guarding ?? rows.find(({ isPrimary }) => isPrimary))?.columns ?? [];
}

export const isGuard = (columns: readonly string[]): boolean =>
  columns.length === GUARD.length && GUARD.every((name) => columns.includes(name));

export interface GuardedWrite {
  /** The answer that was written is what is read in the same transaction. */
  readonly isReadBack: boolean;
  /** The same key cannot be taken again. */
  readonly isTakenOnce: boolean;
  /** Another tenant does not see the row. */
  readonly isHidden: boolean;
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack extends Error {
  readonly write: GuardedWrite;
  constructor(write: GuardedWrite) {
    super('the probe is rolled back');
    this.write = write;
  }
}

/** Does what every guarded write does, to the guarded table itself, and rolls it back. */
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

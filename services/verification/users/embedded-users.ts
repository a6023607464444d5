import { type ExpressionBuilder, sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import { inTenant, type TenantTransaction } from '../tenants/transaction.ts';
import { badCursor, fold, type SourceUser, type UserFilter, type UserSource } from './user-source.ts';

/** Form of a user's id. It has no `@`, because everybody may see it. */
export const USER_ID = /^[A-Za-z0-9_.:-]{1,64}$/;

/** Users of the database, by id. */
export function createEmbeddedUsers(database: Database): UserSource {
  return {
    kind: 'embedded',
    async list({ tenantId, limit, position, filter }) {
      if (position !== undefined && !USER_ID.test(position)) throw badCursor();
      const rows = await inTenant(database, tenantId, (transaction) =>
        transaction
          .selectFrom('verification.crm_user')
          .select(['user_id as id', 'name', 'email', 'active'])
          // Every id is greater than an empty text.
          .where('user_id', '>', position ?? '')
          .where((where) => where.and(conditions(where, filter)))
          .orderBy('user_id')
          .limit(limit + 1)
          .execute(),
      );
      const users = rows.slice(0, limit);
      return { users, next: rows.length > limit ? users.at(-1)?.id : undefined };
    },
  };
}

/** The conditions of a filter. `strpos` has no wildcards. */
function conditions(
  where: ExpressionBuilder<Tables, 'verification.crm_user'>,
  { query, active, seesEmail }: UserFilter,
) {
  const found = (column: 'name_folded' | 'email_folded') => sql<boolean>`strpos(${sql.ref(column)}, ${query}) > 0`;
  const names = query === undefined ? [] : [found('name_folded')];
  const addresses = query === undefined || !seesEmail ? [] : [found('email_folded')];
  return [
    ...(active === undefined ? [] : [where('active', '=', active)]),
    ...(names.length === 0 ? [] : [where.or([...names, ...addresses])]),
  ];
}

/** A user in the database has a name. */
export type NamedUser = SourceUser & { readonly name: string };

/** Rows of one statement, few enough for its time limit. */
const ROWS_A_STATEMENT = 5000;

/**
 * Replaces all users of a tenant, on a connection of the owner. Imports run one at a time, and each in one transaction.
 * @returns the number of users before, or undefined if there is no such tenant
 */
export function replaceUsers(
  database: Database,
  tenantId: string,
  users: readonly NamedUser[],
): Promise<number | undefined> {
  return database.transaction().execute(async (transaction) => {
    const tenant = await transaction
      .selectFrom('verification.tenant')
      .select('tenant_id')
      .where('tenant_id', '=', tenantId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (tenant === undefined) return undefined;
    const { numDeletedRows } = await transaction
      .deleteFrom('verification.crm_user')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirst();
    for (let start = 0; start < users.length; start += ROWS_A_STATEMENT) {
      await insertUsers(transaction, tenantId, users.slice(start, start + ROWS_A_STATEMENT));
    }
    return Number(numDeletedRows);
  });
}

async function insertUsers(
  transaction: TenantTransaction,
  tenantId: string,
  users: readonly NamedUser[],
): Promise<void> {
  const ids = users.map(({ id }) => id);
  const names = users.map(({ name }) => name);
  const emails = users.map(({ email }) => email);
  const actives = users.map(({ active }) => active);
  await sql`
    INSERT INTO verification.crm_user (tenant_id, user_id, name, email, active, name_folded, email_folded)
    SELECT ${tenantId}::uuid, given.* FROM unnest(${ids}::text[], ${names}::text[], ${emails}::text[],
      ${actives}::boolean[], ${names.map(fold)}::text[], ${emails.map((email) => email && fold(email))}::text[]) AS given
  `.execute(transaction);
}

/** All of a tenant's users, by id, on a connection of the owner. */
export function readUsers(database: Database, tenantId: string): Promise<readonly SourceUser[]> {
  return database
    .selectFrom('verification.crm_user')
    .select(['user_id as id', 'name', 'email', 'active'])
    .where('tenant_id', '=', tenantId)
    .orderBy('user_id')
    .execute();
}

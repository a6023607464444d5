import { canonicalText } from '../../../workers/exact/canonical-json.ts';
import { ListUsersArguments } from '../contract/users.ts';
import { createArgumentsReader } from '../tenants/requests.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from '../users/cursor.ts';
import { showUser } from '../users/shown-user.ts';
import { fold } from '../users/user-source.ts';
import { defineRead } from './define.ts';

const DEFAULT_LIMIT = 50;

/**
 * A page of the tenant's users. Any role may list them.
 * @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT, UPSTREAM_FAILURE, UPSTREAM_TIMEOUT, OVERLOADED
 */
export const listUsers = defineRead(
  createArgumentsReader(ListUsersArguments),
  async ({ caller: { tenantId, scopes }, input, context }, { users }) => {
    const { limit = DEFAULT_LIMIT, cursor, filter = {} } = input;
    const source = users(tenantId);
    const seesEmail = scopes.includes('crm.email');
    const asked = { query: filter.query === undefined ? undefined : fold(filter.query), active: filter.active };
    const binding: CursorBinding = { tenantId, source: source.kind, ...asked };
    const position = cursor === undefined ? undefined : decodeCursor(cursor, binding);
    const page = await source.list({ tenantId, limit, position, filter: { ...asked, seesEmail } }, context);
    return canonicalText({
      source: source.kind,
      users: page.users.map((user) => showUser(user, seesEmail)),
      next_cursor: page.next === undefined ? null : encodeCursor(page.next, binding),
    });
  },
);

import type { ListUsersRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../platform/grpc/grpc-server.ts';
import { type Answer, toText } from '../context/operation.ts';
import { ListUsersArguments } from '../contract/users.ts';
import { createArgumentsReader, readCaller } from '../requests/requests.ts';
import { type CursorBinding, decodeCursor, encodeCursor } from '../users/cursor.ts';
import { showUser } from '../users/shown-user.ts';
import { fold, type UserSources } from '../users/user-source.ts';

const DEFAULT_LIMIT = 50;

const readArguments = createArgumentsReader(ListUsersArguments);

/**
 * A page of the tenant's users. Any role may list them.
 * @throws {ServiceError} INVALID_JSON, MALFORMED_INPUT, UPSTREAM_FAILURE, UPSTREAM_TIMEOUT, OVERLOADED
 */
export async function listUsers(
  { users }: { readonly users: UserSources },
  request: ListUsersRequest,
  context: Pick<CallContext, 'signal' | 'deadlineMs'>,
): Promise<Answer> {
  const { tenantId, scopes } = readCaller(request.caller);
  const { limit = DEFAULT_LIMIT, cursor, filter = {} } = readArguments(request.arguments);
  const source = users(tenantId);
  const seesEmail = scopes.includes('crm.email');
  const asked = { query: filter.query === undefined ? undefined : fold(filter.query), active: filter.active };
  const binding: CursorBinding = { tenantId, source: source.kind, ...asked };
  const position = cursor === undefined ? undefined : decodeCursor(cursor, binding);
  const page = await source.list({ tenantId, limit, position, filter: { ...asked, seesEmail } }, context);
  return {
    answer: toText({
      source: source.kind,
      users: page.users.map((user) => showUser(user, seesEmail)),
      next_cursor: page.next === undefined ? null : encodeCursor(page.next, binding),
    }),
  };
}

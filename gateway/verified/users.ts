import { ListUsersAnswer, ListUsersArguments } from '../../services/verification/contract/users.ts';
import { readEndpoint, toNumber } from './define-endpoint.ts';
import { userListing } from './user-examples.ts';

const { limit, cursor, filter } = ListUsersArguments.properties;
const { query, active } = filter.properties;

const common = {
  path: '/api/v1/users',
  operationId: 'verified_list_users',
  summary: "List the tenant's users",
  description:
    'Page by page, from the table that the operator imports or from HubSpot. E-mail addresses are masked, and not searched, unless the key has the scope `crm.email`. If the source cannot filter, a page may be short or empty although more follow: continue until `next_cursor` is null.',
  answer: { schema: ListUsersAnswer, example: userListing.answer },
} as const;

export const listUsers = readEndpoint({
  ...common,
  optionalQuery: { limit, cursor, query, active },
  failures: {
    422: 'A query parameter is invalid: the message begins with a JSON pointer',
    502: 'The CRM failed, or refused the request',
  },
  operation: 'listUsers',
  queryArguments: toArguments,
});

/** The same as a tool, which sends its arguments as JSON. */
export const listUsersByArguments = readEndpoint({
  ...common,
  request: { schema: ListUsersArguments, examples: [userListing.request] },
  operation: 'listUsers',
});

/** The query as arguments. The service refuses a text that should be a number or a boolean. */
function toArguments({ limit, cursor, query, active }: Readonly<Record<string, string>>): string {
  const filters = {
    ...(query === undefined ? {} : { query }),
    ...(active === undefined ? {} : { active: toBoolean(active) }),
  };
  return JSON.stringify({
    ...(limit === undefined ? {} : { limit: toNumber(limit) }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(Object.keys(filters).length === 0 ? {} : { filter: filters }),
  });
}

const toBoolean = (text: string): boolean | string => (text === 'true' || text === 'false' ? text === 'true' : text);

import { ListUsersAnswer, ListUsersArguments } from '../../services/verification/contract/users.ts';
import type { Endpoint } from './endpoint.ts';
import { users as example } from './user-examples.ts';

const { limit, cursor, filter } = ListUsersArguments.properties;
const { query, active } = filter.properties;

export const users: Endpoint = {
  method: 'GET',
  path: '/api/v1/users',
  operationId: 'verified_list_users',
  summary: "List the tenant's users",
  description:
    'Page by page, from the table that the operator imports or from HubSpot. E-mail addresses are masked, and not searched, unless the key has the scope `crm.email`. Of a source that cannot filter, a page may be short or empty though more follow: go on until `next_cursor` is null.',
  optionalQuery: { limit, cursor, query, active },
  status: 200,
  answer: { schema: ListUsersAnswer, example },
  failures: {
    422: 'A query parameter means nothing here: the message begins with a JSON pointer',
    502: 'The CRM failed, or refused the request',
  },
  timeoutMs: 10_000,
  async call({ caller, params, clients, settings }) {
    const request = { caller, arguments: JSON.stringify(toArguments(params)) };
    const { answer } = await clients.verification.call((client) => client.listUsers, request, settings);
    return { body: answer };
  },
};

/** Text that is no number or boolean goes as it is: the service says what is wrong with it, over HTTP as elsewhere. */
function toArguments(params: Readonly<Record<string, string>>): object {
  const filters = {
    ...(params['query'] === undefined ? {} : { query: params['query'] }),
    ...(params['active'] === undefined ? {} : { active: BOOLEANS.get(params['active']) ?? params['active'] }),
  };
  return {
    ...(params['limit'] === undefined ? {} : { limit: toNumber(params['limit']) }),
    ...(params['cursor'] === undefined ? {} : { cursor: params['cursor'] }),
    ...(Object.keys(filters).length === 0 ? {} : { filter: filters }),
  };
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const toNumber = (text: string): number | string => (/^(?:0|[1-9][0-9]{0,8})$/.test(text) ? Number(text) : text);

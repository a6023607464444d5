import { ListUsersArguments } from '../../../services/verification/contract/users.ts';
import type { Endpoint } from '../../verified/endpoint.ts';
import { users } from '../../verified/users.ts';
import { READS, type VerifiedTool } from './verified-tool.ts';

/** Over HTTP its arguments are a query, which is text alone. */
const listUsers: Endpoint = {
  ...users,
  request: { schema: ListUsersArguments, examples: [{ limit: 50, filter: { query: 'ann', active: true } }] },
  async call({ caller, body, clients, settings }) {
    const request = { caller, arguments: body };
    const { answer } = await clients.verification.call((client) => client.listUsers, request, settings);
    return { body: answer };
  },
};

export const otherTools: readonly VerifiedTool[] = [
  {
    name: 'crm_list_users',
    title: "List the tenant's users",
    endpoint: listUsers,
    use: 'List the users of your tenant, as its CRM has them: to find out whom an order, a mail or an approval is about. Page by page. Any role.',
    args: {
      limit: 'Most users on a page, 1 to 100; 50 unless it is sent.',
      cursor: 'The next_cursor of the page before, with the same filter; leave it out for the first page.',
      filter:
        '{query, active}, either of which may be left out: part of the name (of the e-mail address too, where the key has the scope crm.email), and whether the user is active.',
    },
    example: { limit: 50, filter: { query: 'ann', active: true } },
    answers:
      'users [{id, name, email, email_masked, active}] and next_cursor. A page may be short or empty though more follow: go on until next_cursor is null. E-mail addresses are masked unless the key has the scope crm.email.',
    remedies: {
      MALFORMED_INPUT:
        'The message begins with a JSON pointer to what is wrong. A cursor belongs to its filter: begin again without one if it is refused.',
      UPSTREAM_FAILURE:
        'The CRM failed or refused the request: try again later, and go on without the list if you can.',
    },
    hints: { ...READS, openWorldHint: true },
  },
];

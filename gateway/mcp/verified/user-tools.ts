import { userListing } from '../../verified/user-examples.ts';
import { listUsersByArguments } from '../../verified/users.ts';
import type { VerifiedTool } from './verified-tool.ts';

export const userTools: readonly VerifiedTool[] = [
  {
    name: 'crm_list_users',
    endpoint: listUsersByArguments,
    use: "List the users in your tenant's CRM, page by page, to find out whom an order, an e-mail or an approval is about. Any role.",
    example: userListing.request,
    answers:
      'users and next_cursor. Continue until next_cursor is null, even after a short or empty page. E-mail addresses are masked unless the key has the scope crm.email.',
    remedies: {
      MALFORMED_INPUT:
        'Correct the value at the JSON pointer that begins the message. A cursor belongs to its filter: if the cursor is refused, start again without one.',
      UPSTREAM_FAILURE: 'The CRM failed or refused the request. Try again later, or continue without the list.',
    },
    isOpenWorld: true,
  },
];

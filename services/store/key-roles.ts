import { Role } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { Tables } from './tables.ts';

/** What a key may do. `agent`: propose and record. `approver`: approve. `reader`: read. */
export type KeyRole = Tables['verification.api_key']['role'];

/** Data that a key may see in addition. `crm.email`: addresses of users. */
export const SCOPES = ['crm.email'] as const;
export type KeyScope = (typeof SCOPES)[number];

/** Every role of a key, as messages and tables name it. */
export const KEY_ROLES: ReadonlyMap<Role, KeyRole> = new Map([
  [Role.ROLE_AGENT, 'agent'],
  [Role.ROLE_APPROVER, 'approver'],
  [Role.ROLE_READER, 'reader'],
]);

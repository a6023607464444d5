import { Role } from '../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { KeyRole } from './verification-tables.ts';

/** Every role of a key, as messages and tables name it. */
export const KEY_ROLES: ReadonlyMap<Role, KeyRole> = new Map([
  [Role.ROLE_AGENT, 'agent'],
  [Role.ROLE_APPROVER, 'approver'],
  [Role.ROLE_READER, 'reader'],
]);

import { ServiceError } from '../../platform/grpc/service-error.ts';
import type { Caller } from './keys.ts';

/**
 * Executions, their evidence and checks belong to the group of the key that created them. Any key of the tenant may read
 * them. Other agents must not write to them: one wrong receipt could prevent a proof forever.
 * @throws {ServiceError} KEY_NOT_OWNER
 */
export function assertOwner({ owner }: { readonly owner: string }, { group }: Caller, what: string): void {
  if (owner === group) return;
  throw new ServiceError('KEY_NOT_OWNER', `the ${what} belongs to another key, or to another group of keys`);
}

import type { CallContext } from '../../shared/grpc-server.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { GuardedRequest } from './guarded.ts';
import type { GuardedAnswer, OperationDeps } from './operation.ts';

export async function composeSheets(
  _deps: OperationDeps,
  _request: GuardedRequest,
  _context?: CallContext,
): Promise<GuardedAnswer> {
  throw new ServiceError('INTERNAL', 'not served yet');
}

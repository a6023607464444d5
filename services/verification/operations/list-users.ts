import type { ListUsersRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../shared/grpc-server.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { Answer, OperationDeps } from './operation.ts';

export async function listUsers(
  _deps: OperationDeps,
  _request: ListUsersRequest,
  _context?: CallContext,
): Promise<Answer> {
  throw new ServiceError('INTERNAL', 'not served yet');
}

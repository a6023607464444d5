import type { GetSheetRequest, ListSheetsRequest } from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { CallContext } from '../../shared/grpc-server.ts';
import { ServiceError } from '../../shared/service-error.ts';
import type { Answer, OperationDeps } from './operation.ts';

export async function listSheets(
  _deps: OperationDeps,
  _request: ListSheetsRequest,
  _context?: CallContext,
): Promise<Answer> {
  throw new ServiceError('INTERNAL', 'not served yet');
}

export async function getSheet(
  _deps: OperationDeps,
  _request: GetSheetRequest,
  _context?: CallContext,
): Promise<Answer> {
  throw new ServiceError('INTERNAL', 'not served yet');
}

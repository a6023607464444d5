import { CallError } from '../../services/platform/grpc/grpc-client.ts';
import type { ServiceErrorCode } from '../../services/platform/grpc/service-error.ts';
import { AppError, type ErrorCode } from '../errors/app-error.ts';
import { toUpstreamError } from './call-error.ts';

/** What the caller of verified execution is told as the service says it: its own doing, and no secret of ours. */
const TOLD = new Set<string>([
  'UNAUTHENTICATED',
  'ROLE_NOT_ALLOWED',
  'APPROVAL_NOT_ALLOWED',
  'KEY_NOT_OWNER',
  'NOT_FOUND',
  'INVALID_JSON',
  'MALFORMED_INPUT',
  'PLAN_VACUOUS',
  'EFFECT_UNDERSTATED',
  'TOOL_NAME_CONFUSABLE',
  'IDENTITY_MISPLACED',
  'SHEET_VACUOUS',
  'EVIDENCE_REJECTED',
  'IDEMPOTENCY_KEY_REQUIRED',
  'IDEMPOTENCY_KEY_REUSED',
  'PLAN_HASH_MISMATCH',
  'PLAN_NOT_APPROVED',
  'PLAN_CLOSED',
  'STEP_OUT_OF_ORDER',
  'EXECUTIONS_EXHAUSTED',
  'EXECUTION_CLOSED',
  'IDENTITY_REUSED',
  'EVIDENCE_REUSED',
  'SHEET_EXISTS',
  'TOO_MANY_SHEETS',
  'REVENUE_WRITES_FROZEN',
] satisfies (ServiceErrorCode & ErrorCode)[]);

/** What a failed call to the services of verified execution is to the caller of the API. */
export function toVerifiedError(error: unknown): AppError {
  if (!(error instanceof CallError) || error.code === undefined || !TOLD.has(error.code)) return toUpstreamError(error);
  const headers = error.code === 'UNAUTHENTICATED' ? { 'www-authenticate': 'Bearer realm="tollhouse"' } : {};
  return new AppError(error.code as ErrorCode, error.message, { cause: error, headers });
}

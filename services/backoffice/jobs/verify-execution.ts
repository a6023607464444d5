import type { CallOptions, Metadata, ServiceError } from '@grpc/grpc-js';
import type {
  OperationRequest,
  OperationResponse,
  VerificationServiceClient,
} from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import { answerOf, requestOf, type VerificationClient } from '../../verification/contract/client.ts';
import type { Verify } from './worker.ts';

const TIMEOUT_MS = 120_000;

/** Verifies an execution. The verification service applies an idempotency key once, so a repeated call is safe. */
export const createVerify =
  (verification: VerificationClient): Verify =>
  async ({ caller, idempotencyKey, executionId }, signal) => {
    const request = requestOf({ caller, idempotencyKey, params: { execution_id: executionId }, arguments: '{}' });
    const response = await verification.call(untilAborted(signal), request, { timeoutMs: TIMEOUT_MS });
    return answerOf(response).answer;
  };

const untilAborted =
  (signal: AbortSignal) =>
  (client: VerificationServiceClient) =>
  (
    request: OperationRequest,
    metadata: Metadata,
    options: Partial<CallOptions>,
    callback: (error: ServiceError | null, response: OperationResponse) => void,
  ): void => {
    const call = client.verifyExecution(request, metadata, options, callback);
    if (signal.aborted) call.cancel();
    else signal.addEventListener('abort', () => call.cancel(), { once: true });
  };

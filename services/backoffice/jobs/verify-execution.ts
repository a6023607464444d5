import type { CallOptions, Metadata, ServiceError } from '@grpc/grpc-js';
import type {
  VerificationServiceClient,
  VerifyExecutionRequest,
  VerifyExecutionResponse,
} from '../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { VerificationClient } from '../../verification/contract/client.ts';
import type { Verify } from './worker.ts';

const TIMEOUT_MS = 120_000;

/** Verifies an execution. The verification service applies an idempotency key once, so a repeated call is safe. */
export const createVerify =
  (verification: VerificationClient): Verify =>
  async ({ caller, idempotencyKey, executionId }, signal) => {
    const request = { caller, idempotencyKey, executionId, arguments: '{}' };
    const { answer } = await verification.call(untilAborted(signal), request, { timeoutMs: TIMEOUT_MS });
    return answer;
  };

const untilAborted =
  (signal: AbortSignal) =>
  (client: VerificationServiceClient) =>
  (
    request: VerifyExecutionRequest,
    metadata: Metadata,
    options: Partial<CallOptions>,
    callback: (error: ServiceError | null, response: VerifyExecutionResponse) => void,
  ): void => {
    const call = client.verifyExecution(request, metadata, options, callback);
    if (signal.aborted) call.cancel();
    else signal.addEventListener('abort', () => call.cancel(), { once: true });
  };

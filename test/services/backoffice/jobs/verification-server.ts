import {
  type OperationRequest,
  VerificationServiceService,
} from '../../../../proto/gen/tollhouse/verification/v1/verification.ts';
import type { ServiceErrorCode } from '../../../../services/platform/errors/error-codes.ts';
import { type GrpcServer, startGrpcServer, unary } from '../../../../services/platform/grpc/grpc-server.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';

export interface VerificationServer {
  readonly address: string;
  /** Requests so far, in order. */
  readonly requests: readonly OperationRequest[];
  /** The number of calls that wait for `letGo`. */
  waiting(): number;
  /** The number of calls that their caller aborted. */
  aborted(): number;
  /** How often the verification under this key was applied: 0 or 1, because later calls are replays. */
  applied(idempotencyKey: string): number;
  /** Makes calls wait until `letGo`. */
  hold(): void;
  /** Answers the waiting calls and all later ones. */
  letGo(): void;
  /** Makes the next `count` calls fail. */
  fail(code: ServiceErrorCode, count: number): void;
  close(): Promise<void>;
}

/** Starts a gRPC server with the behavior of VerifyExecution that jobs depend on. */
export async function startVerificationServer(listen: string): Promise<VerificationServer> {
  const logger = createLogger({ name: 'verification', level: 'silent' });
  const requests: OperationRequest[] = [];
  const applied = new Map<string, number>();
  const waiting = new Set<() => void>();
  let isHeld = false;
  let aborted = 0;
  let failing: { readonly code: ServiceErrorCode; left: number } | undefined;

  async function gate(signal: AbortSignal): Promise<void> {
    if (!isHeld) return;
    await new Promise<void>((resolve, reject) => {
      const letGo = () => {
        waiting.delete(letGo);
        resolve();
      };
      waiting.add(letGo);
      signal.addEventListener('abort', () => {
        aborted += 1;
        waiting.delete(letGo);
        reject(new ServiceError('CANCELLED', 'the caller aborted the call'));
      });
    });
  }

  const server: GrpcServer = await startGrpcServer({
    listen,
    service: VerificationServiceService,
    implementation: {
      verifyExecution: unary(logger, async (request: OperationRequest, { signal }) => {
        requests.push(request);
        if (failing !== undefined && failing.left > 0) {
          failing.left -= 1;
          throw new ServiceError(failing.code, `failed with ${failing.code}`);
        }
        await gate(signal);
        const replayed = applied.has(request.idempotencyKey);
        if (!replayed) applied.set(request.idempotencyKey, 1);
        const answer = JSON.stringify({ execution_id: request.params['execution_id'] });
        return { answer, replayed, content: Buffer.alloc(0), mediaType: '', refusal: undefined };
      }),
    },
    logger,
  });
  server.setReady(true);
  return {
    address: server.address,
    requests,
    waiting: () => waiting.size,
    aborted: () => aborted,
    applied: (key) => applied.get(key) ?? 0,
    hold() {
      isHeld = true;
    },
    letGo() {
      isHeld = false;
      for (const resume of waiting) resume();
    },
    fail(code, count) {
      failing = { code, left: count };
    },
    close: () => server.close(),
  };
}

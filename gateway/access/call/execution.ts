import { channel } from 'node:diagnostics_channel';
import { Access } from '../../../proto/gen/tollhouse/backoffice/v1/backoffice.ts';
import type { ClaimRecord } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { BackofficeClient } from '../../../services/backoffice/contract/client.ts';
import { MAX_ANSWER_BYTES } from '../../../services/platform/grpc/size-limits.ts';
import type { OperationClients } from '../../clients/operation-clients.ts';
import { AppError } from '../../errors/app-error.ts';
import type { AccessRequest } from './access-request.ts';

const step = channel('tollhouse:step');

/** Longest time for storing the answer, accounting and replying after the operation. */
export const ACCOUNTING_MS = 10_000;
const RETAIN_TIMEOUT_MS = 5000;
/** Added for large bodies: 2.4 seconds for the largest call. A slow machine needs half of the sum. */
const RETAIN_TIMEOUT_MS_PER_MIB = 50;
const MIB = 1024 * 1024;
/** Time between the deadline of the gateway and the sweep of what it left open. */
const SWEEP_GRACE_MS = 5000;

export interface RetainAs {
  /** Id of the claim of a payment. */
  readonly recordId: string;
  /** When the gateway gives up. */
  readonly deadlineMs: number;
  /** The record from which the claim can be rebuilt. */
  readonly claim: ClaimRecord;
}

export interface Execution {
  /** Runs the operation and returns its answer as JSON. @throws {AppError} */
  execute(request: AccessRequest): Promise<Buffer>;
  /** Resolves when both bodies of a payment are stored durably. @throws {CallError} */
  retain(request: AccessRequest, responseBody: Buffer, as: RetainAs): Promise<void>;
}

/** The steps that trials and payments share once the request is admitted. */
export function createExecution(deps: {
  readonly clients: OperationClients;
  readonly backoffice: BackofficeClient;
}): Execution {
  return {
    async execute({ operation, body, requestId }) {
      step.publish('execute.before');
      const context = { clients: deps.clients, requestId, timeoutMs: operation.timeoutMs };
      const result = await operation.execute(body, context);
      step.publish('execute.after');
      const answer = Buffer.from(JSON.stringify(result));
      // Services limit their answers. A larger one could not be retained, and so must not be charged.
      if (answer.length > MAX_ANSWER_BYTES) throw new AppError('DOCUMENT_TOO_LARGE', 'the answer is too large');
      return answer;
    },
    async retain(request, responseBody, { recordId, deadlineMs, claim }) {
      const { operation, requestId } = request;
      step.publish('retain.before');
      const requestBody = requestBodyOf(request);
      const record = {
        recordId,
        requestId,
        access: Access.ACCESS_PAYMENT,
        operation: operation.name,
        requestBody,
        responseBody,
        dueAtMs: BigInt(deadlineMs + SWEEP_GRACE_MS),
        claim,
      };
      const sizeMib = (requestBody.length + responseBody.length) / MIB;
      const timeoutMs = RETAIN_TIMEOUT_MS + Math.ceil(sizeMib * RETAIN_TIMEOUT_MS_PER_MIB);
      await deps.backoffice.retain(record, { requestId, timeoutMs });
      step.publish('retain.after');
    },
  };
}

/** The body of a request, as it is stored with its answer. */
export const requestBodyOf = ({ body }: Pick<AccessRequest, 'body'>): Buffer => Buffer.from(JSON.stringify(body));

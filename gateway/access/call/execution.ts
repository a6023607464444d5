import { channel } from 'node:diagnostics_channel';
import { MAX_ANSWER_BYTES } from '../../../services/platform/grpc/size-limits.ts';
import type { OperationClients } from '../../clients/operation-clients.ts';
import { AppError } from '../../errors/app-error.ts';
import type { AccessRequest } from './access-request.ts';

const step = channel('tollhouse:step');

/** Longest time for storing the answer, accounting and replying after the operation. */
export const ACCOUNTING_MS = 10_000;

/** Runs the operation of a call and returns its answer as JSON. @throws {AppError} */
export type Execute = (request: AccessRequest) => Promise<Buffer>;

export function createExecute(clients: OperationClients): Execute {
  return async ({ operation, body, requestId }) => {
    step.publish('execute.before');
    const result = await operation.execute(body, { clients, requestId, timeoutMs: operation.timeoutMs });
    step.publish('execute.after');
    const answer = Buffer.from(JSON.stringify(result));
    // Services limit their answers. A larger one could not be retained, and so must not be charged.
    if (answer.length > MAX_ANSWER_BYTES) throw new AppError('DOCUMENT_TOO_LARGE', 'the answer is too large');
    return answer;
  };
}

/** The body of a request, as it is stored with its answer. */
export const requestBodyOf = ({ body }: Pick<AccessRequest, 'body'>): Buffer => Buffer.from(JSON.stringify(body));

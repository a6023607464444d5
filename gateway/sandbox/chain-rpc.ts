import type { FastifyInstance } from 'fastify';
import type { ReadChainResponse } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { PaymentsClient } from '../../services/payments/contract/client.ts';
import { AppError } from '../errors/app-error.ts';
import { toRpcError } from '../errors/rpc-error.ts';
import { createErrorAnswer } from '../http/error-answers.ts';
import { createFailureLog } from '../http/failure-log.ts';
import type { RateLimiter } from '../http/rate-limit.ts';
import type { ReadBody } from '../http/read-body.ts';
import { registerTextBody } from '../http/text-body.ts';
import { type RpcId, type RpcMessage, type RpcRequest, readRpcBody } from './rpc-request.ts';

/** For all requests of a batch together. */
const TIMEOUT_MS = 8000;
/** JSON-RPC 2.0, section 5.1. */
const INVALID_REQUEST = -32_600;
const INTERNAL_ERROR = -32_603;
const NO_ANSWER = 'the sandbox chain does not answer';

export interface ChainRpcDeps {
  readonly payments: Pick<PaymentsClient, 'readChain'>;
  readonly limiter: RateLimiter;
  readonly readBody: ReadBody;
}

/**
 * `POST /sandbox/rpc`: the sandbox's chain as an Ethereum JSON-RPC endpoint that only reads. Payment clients that lost
 * the state of their channels need it. The payments service decides which methods are served.
 */
export async function registerChainRpc(app: FastifyInstance, deps: ChainRpcDeps): Promise<void> {
  const { payments, limiter, readBody } = deps;
  await app.register(async (scope) => {
    registerTextBody(scope, readBody);
    const logFailure = createFailureLog(scope.log, 'the sandbox chain was not read');
    scope.setErrorHandler(createErrorAnswer({ limiter, logFailure }, toRpcError));
    scope.post('/sandbox/rpc', { schema: { hide: true } }, async (request, reply) => {
      const { isBatch, messages } = readRpcBody(request.body);
      const endMs = performance.now() + TIMEOUT_MS;
      const read: Read = ({ method, params }) => {
        const asked = { method, paramsJson: JSON.stringify(params) };
        const settings = { requestId: request.id, timeoutMs: endMs - performance.now() };
        return payments.readChain(asked, settings).catch((cause) => {
          logFailure(new AppError('UPSTREAM_FAILURE', NO_ANSWER, { cause }), request);
          return { outcome: undefined };
        });
      };
      const answers: string[] = [];
      // One after the other: a request must not keep the node busy on all cores.
      for (const message of messages) {
        if (message !== 'notification') answers.push(await answer(message, read));
      }
      if (answers.length === 0) return reply.code(204).send();
      return reply.type('application/json; charset=utf-8').send(isBatch ? `[${answers.join(',')}]` : answers.join());
    });
  });
}

type Read = (request: RpcRequest) => Promise<ReadChainResponse>;

/** @returns JSON text */
async function answer(message: Exclude<RpcMessage, 'notification'>, read: Read): Promise<string> {
  if (message === 'malformed') {
    return errorText(null, { code: INVALID_REQUEST, message: 'this is not a request of JSON-RPC 2.0' });
  }
  const { id } = message;
  const { outcome } = await read(message);
  switch (outcome?.$case) {
    case 'resultJson':
      return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${outcome.value}}`;
    case 'error':
      return errorText(id, outcome.value);
    case undefined:
      return errorText(id, { code: INTERNAL_ERROR, message: NO_ANSWER });
  }
}

interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: string | undefined;
}

const errorText = (id: RpcId, error: RpcError): string => JSON.stringify({ jsonrpc: '2.0', id, error });

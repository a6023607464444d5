import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { ReadChainResponse, ReadChainResponse_Error } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { createBoundedFetch, MalformedAnswer } from '../../platform/upstream/bounded-fetch.ts';
import { Bytes } from '../payment/hex.ts';
import { parseJson } from '../payment/parse-json.ts';
import { checkRead, READABLE_METHODS } from './readable-methods.ts';

/** JSON-RPC 2.0, section 5.1. */
const METHOD_NOT_FOUND = -32_601;
const INVALID_PARAMS = -32_602;
/** EIP-1474: the request exceeds a limit. */
const LIMIT_EXCEEDED = -32_005;

const ANSWER_MS = 5000;
const boundedFetch = createBoundedFetch(1024 * 1024);
const MAX_READS_IN_FLIGHT = 32;

const Reply = Compile(
  Type.Object({
    result: Type.Optional(Type.Unknown()),
    error: Type.Optional(
      Type.Object({ code: Type.Integer(), message: Type.String(), data: Type.Optional(Type.Unknown()) }),
    ),
  }),
);
const isBytes = Compile(Bytes);

/** Reads the chain for clients that have no node: only methods that change nothing, with bounded parameters and answers. */
export type ChainReader = (method: string, paramsJson: string) => Promise<ReadChainResponse>;

/**
 * Reads over connections of its own: the other parts of the service send their requests to the node in batches, and a
 * large answer must not delay them.
 */
export function createChainReader(rpcUrl: string): ChainReader {
  let inFlight = 0;
  return async (method, paramsJson) => {
    const params = parseJson(paramsJson);
    if (params === undefined) throw new ServiceError('INVALID_ARGUMENT', 'params_json is not JSON');
    const checked = checkRead(method, params);
    if (checked.kind === 'unknown-method') {
      return failure({ code: METHOD_NOT_FOUND, message: `the method must be one of ${READABLE_METHODS.join(', ')}` });
    }
    if (checked.kind === 'invalid-params') {
      return failure({ code: INVALID_PARAMS, message: `these are not parameters of ${method}` });
    }
    if (inFlight === MAX_READS_IN_FLIGHT) {
      return failure({ code: LIMIT_EXCEEDED, message: 'too many reads are in progress; try again' });
    }
    inFlight += 1;
    const text = await ask(rpcUrl, method, checked.params)
      .catch((cause: unknown) => {
        if (cause instanceof MalformedAnswer) return undefined;
        throw new ServiceError('UPSTREAM_FAILURE', 'the sandbox chain does not answer', { cause });
      })
      .finally(() => {
        inFlight -= 1;
      });
    if (text === undefined) return failure({ code: LIMIT_EXCEEDED, message: 'the answer is larger than 1 MiB' });
    return toResponse(text);
  };
}

const failure = (value: ReadChainResponse_Error): ReadChainResponse => ({ outcome: { $case: 'error', value } });

/** @throws {MalformedAnswer} when the answer is too large */
async function ask(rpcUrl: string, method: string, params: readonly unknown[]): Promise<string> {
  const response = await boundedFetch(rpcUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    signal: AbortSignal.timeout(ANSWER_MS),
  });
  return response.text();
}

function toResponse(text: string): ReadChainResponse {
  const reply: unknown = JSON.parse(text);
  if (!Reply.Check(reply)) throw new ServiceError('UPSTREAM_FAILURE', 'the sandbox chain sent an invalid answer');
  const { error, result } = reply;
  if (error === undefined) return { outcome: { $case: 'resultJson', value: JSON.stringify(result ?? null) } };
  const { code, message, data } = error;
  return failure({ code, message, ...(isBytes.Check(data) && { data }) });
}

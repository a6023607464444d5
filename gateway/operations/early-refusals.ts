import type { IncomingMessage, ServerResponse } from 'node:http';
import proxyAddress from '@fastify/proxy-addr';
import { createRepeatedErrorLog } from '../../services/platform/process/repeated-errors.ts';
import type { Admission } from '../admission/admission.ts';
import { type AppError, toEnvelope } from '../errors/app-error.ts';
import { clientOf } from '../http/client-address.ts';
import type { HttpOptions } from '../http/http-app.ts';
import { overloaded } from '../http/overload.ts';
import { createRequestIds } from '../http/request-ids.ts';
import { headersOfEveryAnswer } from '../http/response-headers.ts';

/** Refuses calls that would not be executed. */
export interface EarlyRefusals {
  /** Answers such a call. @returns whether it was answered */
  refuse(request: IncomingMessage, response: ServerResponse): boolean;
  /** Calls that were refused so far. */
  count(): number;
}

export interface EarlyRefusalOptions extends Pick<HttpOptions, 'isHttps' | 'isTrustedProxy' | 'logger'> {
  readonly operations: readonly { readonly path: string }[];
  readonly admission: Pick<Admission, 'isFull' | 'hasRoom'>;
}

/** Made once: an error records its stack, which takes longer than the rest of a refusal. */
const REFUSAL: AppError = overloaded();

/**
 * A client that does not wait before it tries again could otherwise keep the gateway busy with nothing but refusals. It
 * gets at most ten a second on each connection.
 */
const REFUSED_AFTER_MS = 100;

/**
 * Refuses before the framework sees the request, and before its body is read: under overload most calls are refused, and
 * what they cost is taken from the calls that are executed. A refusal does not count as a failure of the client.
 */
export function createEarlyRefusals({ operations, admission, ...http }: EarlyRefusalOptions): EarlyRefusals {
  const paths = new Set(operations.map(({ path }) => path));
  const newRequestId = createRequestIds();
  const log = createRepeatedErrorLog({ logger: http.logger, message: 'call refused', level: 'error' });
  const fixed = Object.entries({
    ...headersOfEveryAnswer(http.isHttps),
    ...REFUSAL.headers,
    'content-type': 'application/json; charset=utf-8',
  }).flat();
  let refused = 0;

  /** Whether a request carries a payment or a proof for an operation: only such a request is executed. */
  const isCall = ({ method, url, headers }: IncomingMessage): boolean =>
    method === 'POST' &&
    url !== undefined &&
    paths.has(url) &&
    (headers['sign-in-with-x'] !== undefined ||
      headers['payment-signature'] !== undefined ||
      headers['x-payment'] !== undefined);

  return {
    count: () => refused,
    refuse(request, response) {
      if (!admission.isFull() || !isCall(request)) return false;
      if (admission.hasRoom(clientOf(proxyAddress(request, http.isTrustedProxy)))) return false;
      const requestId = newRequestId();
      refused += 1;
      log(REFUSAL, { fields: { requestId, route: request.url, code: REFUSAL.code } });
      const body = JSON.stringify(toEnvelope(REFUSAL, requestId));
      const trialStatus = request.headers['sign-in-with-x'] === undefined ? [] : ['x-trial-status', 'unavailable'];
      const own = ['x-request-id', requestId, 'content-length', String(Buffer.byteLength(body)), ...trialStatus];
      setTimeout(() => {
        if (!response.destroyed) response.writeHead(REFUSAL.statusCode, [...fixed, ...own]).end(body);
      }, REFUSED_AFTER_MS);
      return true;
    },
  };
}

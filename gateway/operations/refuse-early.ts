import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Admission } from '../admission/admission.ts';
import { type AppError, toEnvelope } from '../errors/app-error.ts';
import { addressOf, clientOf } from '../http/client-address.ts';
import type { FailureLog } from '../http/failure-log.ts';
import { overloaded } from '../http/overload.ts';

export interface RefuseEarlyDeps {
  readonly admission: Pick<Admission, 'hasRoom'>;
  readonly logFailure: FailureLog;
  readonly countRefused: () => void;
}

/** Made once: an error records its stack, which takes longer than the rest of a refusal. */
const REFUSAL: AppError = overloaded('too many calls are in progress');

/** Whether a request carries a payment or a proof: only such a request is executed. */
const isCall = ({ headers }: FastifyRequest): boolean =>
  headers['sign-in-with-x'] !== undefined ||
  headers['payment-signature'] !== undefined ||
  headers['x-payment'] !== undefined;

/**
 * A hook that refuses a call which would not be executed, before its body is read. Under overload most calls are refused,
 * so the answer is written without the rest of the framework. It does not count as a failure of the client.
 */
export function createRefuseEarly({ admission, logFailure, countRefused }: RefuseEarlyDeps) {
  return (request: FastifyRequest, reply: FastifyReply, done: () => void): void => {
    if (!isCall(request) || admission.hasRoom(clientOf(addressOf(request)))) {
      done();
      return;
    }
    countRefused();
    logFailure(REFUSAL, request);
    const body = JSON.stringify(toEnvelope(REFUSAL, request.id));
    const { raw } = reply.hijack();
    for (const [name, value] of Object.entries({ ...reply.getHeaders(), ...REFUSAL.headers })) {
      if (value !== undefined) raw.setHeader(name, value);
    }
    if (request.headers['sign-in-with-x'] !== undefined) raw.setHeader('x-trial-status', 'unavailable');
    raw.setHeader('content-type', 'application/json; charset=utf-8');
    raw.setHeader('content-length', Buffer.byteLength(body));
    raw.writeHead(REFUSAL.statusCode).end(body);
  };
}

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, toAppError, toEnvelope } from '../errors/app-error.ts';
import { createFailureLog, type FailureLog } from './failure-log.ts';
import { collectMethods } from './known-methods.ts';
import { countFailure, type RateLimiter } from './rate-limit.ts';
import { COMMON_HEADERS } from './response-headers.ts';
import { lingerAfterAnswer } from './socket-answers.ts';

type ErrorAnswer = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers failures with the body that `toBody` makes. Failed requests count against their sender. */
export function createErrorAnswer(
  { limiter, logFailure }: { readonly limiter: RateLimiter; readonly logFailure: FailureLog },
  toBody: (error: AppError, requestId: string) => object,
): ErrorAnswer {
  return async (thrown, request, reply) => {
    let error = toAppError(thrown);
    if (error.statusCode >= 500) logFailure(error, request);
    await countFailure(limiter, request, error).catch((limited: unknown) => {
      error = toAppError(limited);
    });
    readOn(request, reply);
    return reply
      .code(error.statusCode)
      .headers(error.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(toBody(error, request.id)));
  };
}

/**
 * Answers every failure in the envelope, on every route. A request that has no route is refused before its body is read:
 * 405 on a path that has other methods, and 404 elsewhere.
 */
export function registerErrorAnswers(app: FastifyInstance, limiter: RateLimiter): void {
  const answer = createErrorAnswer({ limiter, logFailure: createFailureLog(app.log, 'request failed') }, toEnvelope);
  const methodsOf = collectMethods(app);
  const refusalOf = ({ url }: FastifyRequest): AppError => {
    const allowed = methodsOf(url);
    if (allowed.length === 0) return new AppError('NOT_FOUND', 'there is nothing here: /openapi.json lists every path');
    const headers = { allow: [...allowed, 'OPTIONS'].join(', ') };
    return new AppError('METHOD_NOT_ALLOWED', `use ${allowed.join(' or ')}`, { headers });
  };
  app.setErrorHandler(answer);
  app.addHook('onRequest', (request, _reply, done) => {
    done(request.is404 ? refusalOf(request) : undefined);
  });
  app.setNotFoundHandler((request, reply) => answer(refusalOf(request), request, reply));
}

/**
 * Fastify closes the connection after a faulty body. If the client still sends, that resets the connection and may lose
 * the answer. So the rest is read and discarded instead, for as long as a request may take.
 */
function readOn(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  if (request.raw.complete) return;
  request.raw.resume();
  lingerAfterAnswer(request.raw.socket);
}

/** Answers a request whose URL the router cannot read. No hook sees it. */
export function answerUnrouted(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown);
  reply
    .code(error.statusCode)
    .headers(COMMON_HEADERS)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toEnvelope(error, request.id)));
}

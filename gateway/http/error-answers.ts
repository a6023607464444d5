import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify';
import { AppError, toAppError, toEnvelope } from '../errors.ts';
import { createFailureLog, type FailureLog } from './failure-log.ts';
import type { RateLimiter } from './rate-limit.ts';

const METHODS: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'];

type ErrorAnswer = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

/** Answers failures, in the envelope unless another body is wanted. Failed requests count against their sender. */
export function createErrorAnswer(
  { limiter, logFailure }: { readonly limiter: RateLimiter; readonly logFailure: FailureLog },
  toBody: (error: AppError, requestId: string) => object,
): ErrorAnswer {
  return async (thrown, request, reply) => {
    let error = toAppError(thrown);
    if (error.statusCode >= 500) logFailure(error, request);
    // Clients can provoke a refusal for want of room, so it counts as their failure.
    if (error.statusCode < 500 || error.code === 'OVERLOADED') {
      await limiter.count(request).catch((limited: unknown) => {
        // The answer to an admitted call must say what became of it.
        if (!('x-access-mode' in error.headers)) error = toAppError(limited);
      });
    }
    readOn(request, reply);
    return reply
      .code(error.statusCode)
      .headers(error.headers)
      .type('application/json; charset=utf-8')
      .send(JSON.stringify(toBody(error, request.id)));
  };
}

/** Every failure in the envelope, on every route, 404 and 405 included. */
export function registerErrorAnswers(app: FastifyInstance, limiter: RateLimiter): void {
  const answer = createErrorAnswer({ limiter, logFailure: createFailureLog(app.log, 'request failed') }, toEnvelope);
  app.setErrorHandler(answer);
  app.setNotFoundHandler((request, reply) => {
    const path = request.url.split('?', 1)[0] ?? '/';
    const allowed = METHODS.filter((method) => app.hasRoute({ method, url: path }));
    if (allowed.length === 0) return answer(new AppError('NOT_FOUND', 'there is nothing here'), request, reply);
    const headers = { allow: [...allowed, 'OPTIONS'].join(', ') };
    return answer(new AppError('METHOD_NOT_ALLOWED', `use ${allowed.join(' or ')}`, { headers }), request, reply);
  });
}

/**
 * Fastify closes the connection after a fault of a body. Where the client still sends, that resets the connection, and
 * the answer may be lost: the rest is read and thrown away instead, for as long as a request may take.
 */
function readOn(request: FastifyRequest, reply: FastifyReply): void {
  reply.removeHeader('connection');
  if (!request.raw.complete) request.raw.resume();
}

/** A request whose URL the router cannot read comes before every hook. */
export function answerUnrouted(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const error = toAppError(thrown);
  reply
    .code(error.statusCode)
    .header('x-request-id', request.id)
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(toEnvelope(error, request.id)));
}

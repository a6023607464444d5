import type { FastifyInstance } from 'fastify';
import { CORS_HEADERS } from './cors.ts';

/** Headers of every answer. Without those of CORS, a page could not read why its request was refused. */
export const COMMON_HEADERS = {
  ...CORS_HEADERS,
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

export function headersOfEveryAnswer(isHttps: boolean): Record<string, string> {
  return { ...COMMON_HEADERS, ...(isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}) };
}

/** Sets the common headers and the id of the request. */
export function registerResponseHeaders(app: FastifyInstance, options: { readonly isHttps: boolean }): void {
  const fixed = headersOfEveryAnswer(options.isHttps);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed);
    reply.header('x-request-id', request.id);
    done();
  });
}

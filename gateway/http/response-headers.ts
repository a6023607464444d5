import type { FastifyInstance } from 'fastify';

/** Request id and security headers. */
export function registerResponseHeaders(app: FastifyInstance, options: { readonly isHttps: boolean }): void {
  const fixed: Record<string, string> = {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(options.isHttps ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  };
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed);
    reply.header('x-request-id', request.id);
    done();
  });
}

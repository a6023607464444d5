import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';

const EXPOSED = [
  'PAYMENT-REQUIRED',
  'PAYMENT-RESPONSE',
  'X-PAYMENT-RESPONSE',
  'X-Trial-Status',
  'X-Trial-Balance-Atomic',
  'X-Trial-Accounting-Status',
  'X-Access-Mode',
  'X-Request-Id',
  'Retry-After',
  'WWW-Authenticate',
  'Location',
  'Idempotency-Replayed',
  'Preference-Applied',
  'X-Artifact-Media-Type',
];

const ALLOWED = [
  'Content-Type',
  'SIGN-IN-WITH-X',
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'Authorization',
  'Idempotency-Key',
  'Prefer',
  // The official x402 client sends this response header with its request.
  'Access-Control-Expose-Headers',
];

/** Request id, security headers and CORS. Any origin may call: nothing here depends on cookies. */
export async function registerResponseHeaders(
  app: FastifyInstance,
  options: { readonly isHttps: boolean },
): Promise<void> {
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
  await app.register(cors, {
    origin: '*',
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: ALLOWED,
    exposedHeaders: EXPOSED,
    maxAge: 86_400,
    strictPreflight: false,
  });
}

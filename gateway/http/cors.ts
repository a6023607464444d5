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
  // A client compares the end of a payment with the server's clock.
  'Date',
  'Allow',
  'WWW-Authenticate',
  'Location',
  'Idempotency-Replayed',
  'Preference-Applied',
  'X-Artifact-Media-Type',
];

/**
 * Requests have no credentials of the browser, so `*` allows every header except Authorization: libraries for tracing add
 * headers of their own. Browsers before 2022 may not know `*`, and need the names.
 */
const ALLOWED = [
  '*',
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

/** Headers of every answer, including those that no hook of the application sees. */
export const CORS_HEADERS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(','),
} as const;

/** Answers preflight requests. Any origin may call: nothing here depends on cookies. */
export async function registerCors(app: FastifyInstance): Promise<void> {
  await app.register(cors, {
    origin: '*',
    credentials: false,
    methods: ['GET', 'HEAD', 'POST', 'DELETE'],
    allowedHeaders: ALLOWED,
    exposedHeaders: CORS_HEADERS['access-control-expose-headers'],
    maxAge: 86_400,
    strictPreflight: false,
  });
}

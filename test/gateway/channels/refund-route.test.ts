import test, { type ExecutionContext } from 'ava';
import { REFUND_PATH } from '../../../gateway/access/offer/refund-offer.ts';
import { createRefundAccess, type RefundAccess, type RefundCall } from '../../../gateway/access/refund-access.ts';
import { registerRefund } from '../../../gateway/channels/refund-route.ts';
import { AppError } from '../../../gateway/errors/app-error.ts';
import { createHttpApp } from '../../../gateway/http/http-app.ts';
import { registerJsonBody } from '../../../gateway/http/json-body.ts';
import { SHARED_SCHEMAS } from '../../../gateway/operations/operation/route-schema.ts';
import { createLogger } from '../../../services/platform/process/logger.ts';
import { codeOf, rawRequest } from '../../kit/client.ts';

async function serve(t: ExecutionContext, refundAccess: RefundAccess, rateLimitPerMinute = 0): Promise<string> {
  const { app, limiter, readBody } = await createHttpApp({
    isHttps: false,
    maxConnections: 100,
    maxConnectionsPerClient: 0,
    maxBodyBytesInFlight: 1024 * 1024,
    rateLimitPerMinute,
    maxEventLoopDelayMs: Infinity,
    isTrustedProxy: () => false,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  registerJsonBody(app, readBody);
  for (const schema of SHARED_SCHEMAS) app.addSchema(schema);
  registerRefund(app, { refundAccess, limiter });
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => app.close());
  return origin + REFUND_PATH;
}

/** Remembers the calls, and answers all of them. */
function acceptAll() {
  const calls: RefundCall[] = [];
  const access: RefundAccess = {
    async handle(call) {
      calls.push(call);
      return { status: 200, headers: { 'payment-response': 'e30=' }, body: '{}' };
    },
  };
  return { calls, access };
}

test('GET and POST refund, with or without a body; no other method does', async (t) => {
  const { calls, access } = acceptAll();
  const url = await serve(t, access);
  const headers = { 'payment-signature': 'e30=', 'content-type': 'application/json' };
  t.is((await rawRequest(url, { method: 'GET', headers })).status, 200);
  t.is((await rawRequest(url, { headers })).status, 200);
  const { status, headers: answered } = await rawRequest(url, { headers, body: '{"query":"Łódź"}' });
  t.is(status, 200);
  t.is(answered.get('payment-response'), 'e30=');
  for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH']) {
    const refused = await rawRequest(url, { method, headers });
    t.is(refused.status, 405, method);
    t.is(refused.headers.get('allow'), 'GET, POST, OPTIONS');
  }
  t.deepEqual(
    calls.map(({ paymentSignature }) => paymentSignature),
    [['e30='], ['e30='], ['e30=']],
  );
  t.is(calls[0]?.client, '127.0.0.1');
});

test('is not found where channels are not offered', async (t) => {
  const answer = await rawRequest(await serve(t, createRefundAccess(undefined)), { method: 'GET' });
  t.is(answer.status, 404);
  t.is(codeOf(answer), 'NOT_FOUND');
});

test('a repeated payment header is refused', async (t) => {
  const refund = { run: () => Promise.reject(new Error('not called')) };
  const findOffer = () => ({ payment: () => ({ header: '', body: '{}' }) });
  const url = await serve(t, createRefundAccess({ findOffer, refund }));
  const answer = await rawRequest(url, { method: 'GET', headers: { 'payment-signature': ['e30=', 'e30='] } });
  t.is(codeOf(answer), 'MALFORMED_PAYMENT');
});

test('a failure that reports a deposit is not replaced by a refusal of its sender', async (t) => {
  const failing = (headers: Record<string, string>): RefundAccess => ({
    handle: () => Promise.reject(new AppError('DOCUMENT_TOO_LARGE', 'no', { headers })),
  });
  const reported = await serve(t, failing({ 'payment-response': 'e30=' }), 1);
  const plain = await serve(t, failing({}), 1);
  const codes = async (url: string) => [
    codeOf(await rawRequest(url, { method: 'GET' })),
    codeOf(await rawRequest(url, { method: 'GET' })),
  ];
  t.deepEqual(await codes(reported), ['DOCUMENT_TOO_LARGE', 'DOCUMENT_TOO_LARGE']);
  t.deepEqual(await codes(plain), ['DOCUMENT_TOO_LARGE', 'RATE_LIMITED']);
});

import test from 'ava';
import { serve } from './served-app.ts';

/** What libraries for tracing and monitoring, and MCP clients in a page, add to requests. */
const ADDED =
  'baggage,b3,elastic-apm-traceparent,mcp-method,mcp-protocol-version,newrelic,sentry-trace,traceparent,tracestate,uber-trace-id,x-amzn-trace-id,x-b3-sampled,x-b3-spanid,x-b3-traceid,x-cloud-trace-context,x-datadog-origin,x-datadog-parent-id,x-datadog-sampling-priority,x-datadog-trace-id,x-request-id';
const OWN = 'authorization,content-type,idempotency-key,payment-signature,prefer,sign-in-with-x,x-payment';

/** Whether a browser sends the header in a request without credentials (Fetch standard, CORS-preflight fetch). */
const isSent = (allowed: ReadonlySet<string>, name: string) =>
  allowed.has(name) || (allowed.has('*') && name !== 'authorization');

test('a page may send any request header, and never with credentials', async (t) => {
  const { port } = await serve(t);
  const answer = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'OPTIONS',
    headers: {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
      'access-control-request-headers': `${ADDED},${OWN}`,
    },
  });
  t.is(answer.status, 204);
  t.is(answer.headers.get('access-control-allow-origin'), '*');
  t.is(answer.headers.get('access-control-allow-credentials'), null);
  const allowed = new Set(answer.headers.get('access-control-allow-headers')?.toLowerCase().split(/, ?/));
  for (const name of `${ADDED},${OWN}`.split(',')) t.true(isSent(allowed, name), name);
});

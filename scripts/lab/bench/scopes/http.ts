import { fork } from 'node:child_process';
import { once } from 'node:events';
import autocannon from 'autocannon';
import { Type } from 'typebox';
import { startStack } from '../../../../test/kit/stack.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { createReader } from '../../../launch/parse/json-reader.ts';
import type { Contender } from '../measure/compare.ts';
import type { Scope } from '../measure/scope.ts';

const PATH = '/api/v1/content/html-to-markdown';
const BODY = JSON.stringify({ html: '<h1>Toll houses</h1><p>A <b>toll house</b> is where a toll is paid.</p>' });
const CONNECTIONS = 32;
/** Requests after which V8 has compiled what they need. The gateway needs more of them than the bare route. */
const WARM_UP_REQUESTS = 20_000;
const readPort = createReader(Type.Integer({ minimum: 1 }), 'the port of the bare Fastify');

/** The same requests for both, over the same number of connections. */
const requestsTo = (url: string) => ({
  url,
  method: 'POST' as const,
  headers: { 'content-type': 'application/json' },
  body: BODY,
  connections: CONNECTIONS,
});

function load(name: string, url: string, expected: number): Contender {
  return {
    name,
    async run(durationMs) {
      const result = await autocannon({ ...requestsTo(url), duration: durationMs / 1000 });
      const wrong =
        result.errors +
        result.timeouts +
        Object.entries(defined(result.statusCodeStats)).reduce(
          (sum, [status, { count = 0 }]) => sum + (status === String(expected) ? 0 : count),
          0,
        );
      if (wrong > 0) throw new Error(`${name}: ${wrong} answers did not have the status ${expected}`);
      return { perSecond: result.requests.average, p99Ms: result.latency.p99 };
    },
  };
}

/** Compares unsigned 402 challenges with a bare Fastify that sends the same bytes for the same requests. */
export const http: Scope = async () => {
  const stack = await startStack({ env: { gateway: { RATE_LIMIT_PER_MINUTE: '1000000000', LOG_LEVEL: 'warn' } } });
  const url = stack.urls[0] + PATH;
  const sample = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: BODY });
  const answer = { status: sample.status, headers: Object.fromEntries(sample.headers), body: await sample.text() };
  const bare = fork(new URL('../measure/bare-fastify.ts', import.meta.url), { serialization: 'json' });
  bare.send(answer);
  const [message]: unknown[] = await once(bare, 'message');
  const bareUrl = `http://127.0.0.1:${readPort(message)}/`;
  for (const each of [url, bareUrl]) await autocannon({ ...requestsTo(each), amount: WARM_UP_REQUESTS });
  return {
    comparisons: [
      {
        title: 'unsigned 402 challenge',
        ours: load('gateway', url, 402),
        reference: load('bare Fastify POST, same bytes', bareUrl, 402),
        target: 0.5,
      },
    ],
    async stop() {
      bare.kill();
      await stack.stop();
    },
  };
};

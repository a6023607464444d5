import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import type { GeocoderOptions } from '../../../../services/maps/geocoder/geocoder.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import type { ProviderOptions } from '../../../../services/platform/upstream/upstream.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import {
  answering,
  type Behaviour,
  closedUrl,
  hangingBody,
  resetting,
  silent,
  startUpstream,
} from '../../../kit/upstream-server.ts';
import { ADAPTERS, type Adapter, BERLIN, HERE, KEY, patiently } from './adapters.ts';

const SOON_MS = 100;
const LONG_MS = 60_000;

/** Puts a provider in front of a test server. Its calls return the outcome as text: the number of results or the code. */
async function setUp(t: ExecutionContext, { create }: Adapter, over: Partial<ProviderOptions> = {}) {
  const upstream = await startUpstream(t);
  const { logger, text } = keepLog();
  const policy = { retryWaitMs: 1, breakMs: LONG_MS };
  const geocoder = create({ baseUrl: upstream.baseUrl, timeoutMs: LONG_MS, logger, policy, ...over });
  const failures: unknown[] = [];
  const outcome = (answer: Promise<readonly unknown[]>): Promise<string> =>
    answer.then(
      (results) => `${results.length} found`,
      (error) => {
        failures.push(error);
        return error instanceof ServiceError ? error.code : String(error);
      },
    );
  t.teardown(() => {
    const output = `${inspect(failures, { depth: 10, showHidden: true })}${text()}`;
    if (output.includes(KEY)) throw new Error(`an error or the log has the key: ${output}`);
    if (output.includes(BERLIN.query)) throw new Error(`an error or the log has the query: ${output}`);
  });
  return {
    upstream,
    log: text,
    geocode: (caller?: Partial<GeocoderOptions>) => outcome(geocoder.geocode(BERLIN, patiently(caller))),
    reverse: (caller?: Partial<GeocoderOptions>) => outcome(geocoder.reverse(HERE, patiently(caller))),
  };
}

for (const adapter of ADAPTERS) {
  const { name, found, none, noneReverse, misshapen } = adapter;
  const one = found(1);

  test(`${name}: nothing found is an empty list`, async (t) => {
    const { upstream, geocode, reverse } = await setUp(t, adapter);
    upstream.behave(answering(none), answering(noneReverse));
    t.deepEqual([await geocode(), await reverse()], ['0 found', '0 found']);
  });

  test(`${name}: returns no more results than requested, even if the server sends more`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    upstream.behave(answering(found(20)));
    t.is(await geocode(), `${BERLIN.limit} found`);
  });

  test(`${name}: the content type does not matter`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    upstream.behave(answering(one, 200, { 'content-type': 'text/html' }));
    t.is(await geocode(), '1 found');
  });

  test(`${name}: any status but 2xx is a failure of the upstream`, async (t) => {
    const statuses = [204, 400, 401, 403, 404, 500, 502, 503];
    const { upstream, geocode, reverse, log } = await setUp(t, adapter, { policy: { breakAfter: 100 } });
    for (const status of statuses) {
      upstream.behave(answering(status === 204 ? '' : `nobody but ${KEY}`, status));
      t.deepEqual([await geocode(), await reverse()], ['UPSTREAM_FAILURE', 'UPSTREAM_FAILURE'], `${status}`);
    }
    t.is(upstream.seen.length, statuses.length * 2, 'no request is repeated');
    t.regex(log(), /status 401/);
  });

  test(`${name}: repeats the request once after a 429`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    upstream.behave(answering('slow down', 429), answering(one));
    t.is(await geocode(), '1 found');
    upstream.behave(answering('slow down', 429, { 'retry-after': '0' }), answering(one));
    t.is(await geocode(), '1 found');
    t.is(upstream.seen.length, 4);
  });

  test(`${name}: a second 429 is a failure of the upstream`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    upstream.behave(answering('slow down', 429));
    t.is(await geocode(), 'UPSTREAM_FAILURE');
    t.is(upstream.seen.length, 2);
  });

  test(`${name}: a body that is not JSON, or has the wrong shape, is a failure of the upstream`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter, { policy: { breakAfter: 100 } });
    for (const body of ['', '[{"lat":', '<html>', 'null', '"Berlin"', '7', ...misshapen]) {
      upstream.behave(answering(body));
      t.is(await geocode(), 'UPSTREAM_FAILURE', inspect(body, { depth: 5 }));
    }
  });

  test(`${name}: a body that is too large is a failure of the upstream, compressed or not`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    const large = `${' '.repeat(3 * 1024 * 1024)}${JSON.stringify(one)}`;
    upstream.behave(answering(large), (response) => {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(large));
    });
    t.deepEqual([await geocode(), await geocode()], ['UPSTREAM_FAILURE', 'UPSTREAM_FAILURE']);
  });

  test(`${name}: no answer in time is a timeout`, async (t) => {
    const { upstream, geocode, reverse } = await setUp(t, adapter, { timeoutMs: SOON_MS });
    upstream.behave(silent);
    t.deepEqual(await Promise.all([geocode(), reverse()]), ['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT']);
  });

  test(`${name}: a body that does not end in time is a timeout`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter, { timeoutMs: SOON_MS });
    upstream.behave(hangingBody);
    t.is(await geocode(), 'UPSTREAM_TIMEOUT');
  });

  test(`${name}: an earlier deadline of the caller replaces the time limit`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    upstream.behave(silent);
    t.is(await geocode({ deadlineMs: Date.now() + SOON_MS }), 'UPSTREAM_TIMEOUT');
    const before = upstream.seen.length;
    t.is(await geocode({ deadlineMs: Date.now() - 1 }), 'DEADLINE_EXCEEDED');
    t.is(upstream.seen.length, before, 'no request is sent after the deadline');
  });

  test(`${name}: a broken or refused connection is a failure of the upstream`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    upstream.behave(resetting, (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('[', () => response.socket?.resetAndDestroy());
    });
    t.deepEqual([await geocode(), await geocode()], ['UPSTREAM_FAILURE', 'UPSTREAM_FAILURE']);
    const closed = await setUp(t, adapter, { baseUrl: await closedUrl() });
    t.is(await closed.geocode(), 'UPSTREAM_FAILURE');
  });

  test(`${name}: a redirect is not followed`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    const elsewhere = await startUpstream(t, answering(one));
    for (const status of [301, 302, 307, 308]) {
      upstream.behave(answering('', status, { location: elsewhere.baseUrl.href }));
      t.is(await geocode(), 'UPSTREAM_FAILURE');
    }
    t.deepEqual(elsewhere.seen, []);
  });

  test(`${name}: a caller that leaves ends the query at once`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    const closed = Promise.withResolvers<void>();
    const closing: Behaviour = (response) => response.on('close', () => closed.resolve());
    upstream.behave(closing);
    const caller = new AbortController();
    const answer = geocode({ signal: caller.signal });
    await upstream.arrived(1);
    caller.abort();
    t.is(await answer, 'CANCELLED');
    await closed.promise;
    t.is(await geocode({ signal: caller.signal }), 'CANCELLED');
    t.is(upstream.seen.length, 1);
  });

  test(`${name}: consecutive failures open its circuit breaker`, async (t) => {
    const { upstream, geocode, reverse, log } = await setUp(t, adapter, {
      policy: { breakAfter: 3, breakMs: LONG_MS },
    });
    upstream.behave(answering('', 500), resetting, answering(one), resetting, answering('{'), answering('', 401));
    const expected = ['UPSTREAM_FAILURE', 'UPSTREAM_FAILURE', '1 found', ...Array(3).fill('UPSTREAM_FAILURE')];
    for (const outcome of expected) t.is(await geocode(), outcome);
    upstream.behave(answering(one));
    t.deepEqual([await geocode(), await reverse()], ['UPSTREAM_FAILURE', 'UPSTREAM_FAILURE']);
    t.is(upstream.seen.length, expected.length);
    t.regex(log(), /circuit breaker of the upstream is open/);
  });

  test(`${name}: an open circuit breaker lets one trial query pass, and closes once it succeeds`, async (t) => {
    const { upstream, geocode, log } = await setUp(t, adapter, { policy: { breakAfter: 1, breakMs: 0 } });
    upstream.behave(answering('', 500));
    t.is(await geocode(), 'UPSTREAM_FAILURE');
    t.is(await geocode(), 'UPSTREAM_FAILURE');
    t.is(upstream.seen.length, 2, 'the trial failed');

    const held = Promise.withResolvers<void>();
    upstream.behave((response, request) => void held.promise.then(() => answering(one)(response, request)));
    const trial = geocode();
    await upstream.arrived(3);
    t.is(await geocode(), 'UPSTREAM_FAILURE', 'other queries do not wait for the trial query');
    held.resolve();
    t.is(await trial, '1 found');
    t.is(await geocode(), '1 found');
    t.is(upstream.seen.length, 4);
    t.regex(log(), /circuit breaker of the upstream is closed/);
  });

  test(`${name}: a refused query and a caller that leaves do not open the circuit breaker`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter, { policy: { breakAfter: 1, breakMs: LONG_MS } });
    upstream.behave(answering('bad query', 400));
    t.is(await geocode(), 'UPSTREAM_FAILURE');
    upstream.behave(silent);
    t.is(await geocode({ deadlineMs: Date.now() + SOON_MS }), 'UPSTREAM_TIMEOUT');
    const caller = new AbortController();
    // The previous query may have timed out before its request arrived.
    const before = upstream.seen.length;
    const answer = geocode({ signal: caller.signal });
    await upstream.arrived(before + 1);
    caller.abort();
    t.is(await answer, 'CANCELLED');
    upstream.behave(answering(one));
    t.is(await geocode(), '1 found');
  });
}

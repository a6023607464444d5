import { inspect } from 'node:util';
import { gzipSync } from 'node:zlib';
import test, { type ExecutionContext } from 'ava';
import type { GeocoderOptions } from '../../../../services/maps/geocoder/geocoder.ts';
import { ServiceError } from '../../../../services/platform/grpc/service-error.ts';
import type { ProviderOptions } from '../../../../services/platform/upstream/upstream.ts';
import { keepLog } from '../../../helpers/keep-log.ts';
import {
  answering,
  type Behaviour,
  closedUrl,
  hangingBody,
  resetting,
  silent,
  startUpstream,
} from '../../../helpers/upstream-server.ts';
import { ADAPTERS, type Adapter, BERLIN, HERE, KEY, patiently } from './adapters.ts';

const SOON_MS = 100;
const LONG_MS = 60_000;

/** A provider in front of a server that does as told, and what came of asking it. */
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
    const told = `${inspect(failures, { depth: 10, showHidden: true })}${text()}`;
    if (told.includes(KEY)) throw new Error(`the key was told: ${told}`);
    if (told.includes(BERLIN.query)) throw new Error(`what was looked for was told: ${told}`);
  });
  return {
    upstream,
    log: text,
    geocode: (caller?: Partial<GeocoderOptions>) => outcome(geocoder.geocode(BERLIN, patiently(caller))),
    reverse: (caller?: Partial<GeocoderOptions>) => outcome(geocoder.reverse(HERE, patiently(caller))),
  };
}

for (const adapter of ADAPTERS) {
  const { name, one, none, noneReverse, misshapen } = adapter;

  test(`${name}: nothing found is an empty list`, async (t) => {
    const { upstream, geocode, reverse } = await setUp(t, adapter);
    upstream.behave(answering(none), answering(noneReverse));
    t.deepEqual([await geocode(), await reverse()], ['0 found', '0 found']);
  });

  test(`${name}: no more results than were asked for, whatever the server sends`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    const list = Array.isArray(one) ? one : (one as { features: unknown[] }).features;
    const many = Array.from({ length: 20 }, () => list[0]);
    upstream.behave(answering(Array.isArray(one) ? many : { ...(one as object), features: many }));
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
    t.is(upstream.seen.length, statuses.length * 2, 'and none is asked again');
    t.regex(log(), /status 401/);
  });

  test(`${name}: after a 429 it is asked once more`, async (t) => {
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

  test(`${name}: what is not JSON, or not of the right shape, is a failure of the upstream`, async (t) => {
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

  test(`${name}: no answer in time is a time-out`, async (t) => {
    const { upstream, geocode, reverse } = await setUp(t, adapter, { timeoutMs: SOON_MS });
    upstream.behave(silent);
    t.deepEqual(await Promise.all([geocode(), reverse()]), ['UPSTREAM_TIMEOUT', 'UPSTREAM_TIMEOUT']);
  });

  test(`${name}: a body that does not end in time is a time-out`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter, { timeoutMs: SOON_MS });
    upstream.behave(hangingBody);
    t.is(await geocode(), 'UPSTREAM_TIMEOUT');
  });

  test(`${name}: the caller's deadline is kept where it comes first`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter);
    upstream.behave(silent);
    t.is(await geocode({ deadlineMs: Date.now() + SOON_MS }), 'UPSTREAM_TIMEOUT');
    const before = upstream.seen.length;
    t.is(await geocode({ deadlineMs: Date.now() - 1 }), 'DEADLINE_EXCEEDED');
    t.is(upstream.seen.length, before, 'and it is not asked in vain');
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

  test(`${name}: it is tried again by one query, and used again once that has succeeded`, async (t) => {
    const { upstream, geocode, log } = await setUp(t, adapter, { policy: { breakAfter: 1, breakMs: 0 } });
    upstream.behave(answering('', 500));
    t.is(await geocode(), 'UPSTREAM_FAILURE');
    t.is(await geocode(), 'UPSTREAM_FAILURE');
    t.is(upstream.seen.length, 2, 'the trial failed');

    const held = Promise.withResolvers<void>();
    upstream.behave((response, request) => void held.promise.then(() => answering(one)(response, request)));
    const trial = geocode();
    await upstream.arrived(3);
    t.is(await geocode(), 'UPSTREAM_FAILURE', 'nobody waits for the trial of another');
    held.resolve();
    t.is(await trial, '1 found');
    t.is(await geocode(), '1 found');
    t.is(upstream.seen.length, 4);
    t.regex(log(), /circuit breaker of the upstream is closed/);
  });

  test(`${name}: callers that leave, and queries that it refuses, are no failures in a row`, async (t) => {
    const { upstream, geocode } = await setUp(t, adapter, { policy: { breakAfter: 1, breakMs: LONG_MS } });
    upstream.behave(answering('bad query', 400));
    t.is(await geocode(), 'UPSTREAM_FAILURE');
    upstream.behave(silent);
    t.is(await geocode({ deadlineMs: Date.now() + SOON_MS }), 'UPSTREAM_TIMEOUT');
    const caller = new AbortController();
    // The query before may have ended before it arrived.
    const before = upstream.seen.length;
    const answer = geocode({ signal: caller.signal });
    await upstream.arrived(before + 1);
    caller.abort();
    t.is(await answer, 'CANCELLED');
    upstream.behave(answering(one));
    t.is(await geocode(), '1 found');
  });
}

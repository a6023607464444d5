import test from 'ava';
import { createAzureGeocoder } from '../../../../services/maps/providers/azure.ts';
import { createPhotonGeocoder } from '../../../../services/maps/providers/photon.ts';
import { ConfigurationError } from '../../../../services/platform/process/environment.ts';
import { keepLog } from '../../../kit/keep-log.ts';
import { answering, resetting, silent, startUpstream } from '../../../kit/upstream-server.ts';
import { BERLIN, HERE, KEY, optionsFor, patiently } from './adapters.ts';

const NONE = { type: 'FeatureCollection', features: [] };
const BUSY = (retryAfter: string) => answering('', 429, { 'retry-after': retryAfter });

test('a base URL may have a path, with or without a trailing slash', async (t) => {
  const upstream = await startUpstream(t, answering(NONE));
  for (const path of ['/maps/photon', '/maps/photon/', '/maps/photon/?ignored=1']) {
    const geocoder = createPhotonGeocoder(optionsFor(new URL(path, upstream.baseUrl)));
    await geocoder.geocode(BERLIN, patiently());
    await geocoder.reverse(HERE, patiently());
  }
  t.deepEqual([...new Set(upstream.seen.map(({ path }) => path))], ['/maps/photon/api', '/maps/photon/reverse']);
  t.false(upstream.seen.some(({ query }) => 'ignored' in query));
});

test('refuses an unusable base URL at startup, without repeating it', (t) => {
  for (const url of [`https://user:${KEY}@example.org`, `https://${KEY}@example.org`, `file:///${KEY}`]) {
    const error = t.throws(() => createPhotonGeocoder(optionsFor(new URL(url))), { instanceOf: ConfigurationError });
    t.false(error.message.includes(KEY));
  }
});

test('waits for a Retry-After that fits in the deadline, in seconds or as a date', async (t) => {
  const upstream = await startUpstream(t);
  const options = { ...optionsFor(upstream.baseUrl), policy: { retryWaitMs: 60_000 } };
  const geocoder = createPhotonGeocoder(options);
  upstream.behave(BUSY('1'), answering(NONE));
  const startMs = performance.now();
  t.deepEqual(await geocoder.geocode(BERLIN, patiently()), []);
  t.true(performance.now() - startMs >= 990);
  upstream.behave(BUSY(new Date(Date.now() - 1_000).toUTCString()), answering(NONE));
  t.deepEqual(await geocoder.geocode(BERLIN, patiently()), []);
});

test('replaces a Retry-After that is malformed or after the deadline with a short wait', async (t) => {
  const upstream = await startUpstream(t);
  const options = { ...optionsFor(upstream.baseUrl), policy: { retryWaitMs: 1 } };
  const geocoder = createPhotonGeocoder(options);
  for (const retryAfter of ['3600', 'later', new Date(Date.now() + 3_600_000).toUTCString()]) {
    upstream.behave(BUSY(retryAfter), answering(NONE));
    t.deepEqual(await geocoder.geocode(BERLIN, patiently()), []);
  }
});

test('does not repeat a request if even the short wait does not fit in the deadline', async (t) => {
  const upstream = await startUpstream(t, BUSY('3600'));
  const options = { ...optionsFor(upstream.baseUrl), policy: { retryWaitMs: 60_000 } };
  await t.throwsAsync(createPhotonGeocoder(options).geocode(BERLIN, patiently()), { code: 'UPSTREAM_FAILURE' });
  t.is(upstream.seen.length, 1);
});

test('a caller that leaves during the wait ends it', async (t) => {
  const upstream = await startUpstream(t, BUSY('4'));
  const caller = new AbortController();
  const answer = createPhotonGeocoder(optionsFor(upstream.baseUrl)).geocode(
    BERLIN,
    patiently({ signal: caller.signal }),
  );
  await upstream.arrived(1);
  caller.abort();
  await t.throwsAsync(answer, { code: 'CANCELLED' });
  t.is(upstream.seen.length, 1);
});

test('does not send a malformed language tag', async (t) => {
  const upstream = await startUpstream(t, answering(NONE));
  const geocoder = createAzureGeocoder({ ...optionsFor(upstream.baseUrl), key: KEY });
  await geocoder.geocode({ ...BERLIN, language: 'de\r\nx-injected: 1' }, patiently());
  t.is(upstream.seen[0]?.headers['accept-language'], '*');
  t.is(upstream.seen[0]?.headers['x-injected'], undefined);
});

test('a trial query that its caller cancels does not close the circuit breaker', async (t) => {
  const upstream = await startUpstream(t, resetting);
  const { logger, text } = keepLog();
  const policy = { breakAfter: 1, breakMs: 0 };
  const geocoder = createPhotonGeocoder({ baseUrl: upstream.baseUrl, timeoutMs: 60_000, logger, policy });
  await t.throwsAsync(geocoder.geocode(BERLIN, patiently()), { code: 'UPSTREAM_FAILURE' });
  upstream.behave(silent);
  const caller = new AbortController();
  const trial = geocoder.geocode(BERLIN, patiently({ signal: caller.signal }));
  await upstream.arrived(2);
  caller.abort();
  await t.throwsAsync(trial, { code: 'CANCELLED' });
  t.is(text().match(/circuit breaker of the upstream is open/g)?.length, 2);
  t.notRegex(text(), /circuit breaker of the upstream is closed/);
});

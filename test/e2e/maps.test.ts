import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { defined } from '../../workers/exact/defined.ts';
import { openBuyers } from '../kit/buyers.ts';
import { type Answer, codeOf, GEOCODE, REVERSE_GEOCODE } from '../kit/client.ts';
import { startExtraGateway } from '../kit/extra-gateway.ts';
import { startExtraService } from '../kit/extra-service.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { until } from '../kit/until.ts';
import { answering, silent, startUpstream } from '../kit/upstream-server.ts';

const stack = await useSharedStack();
const buyers = openBuyers(stack.urls[0]);
test.after.always(() => stack.stop());

const readBody = createReader(
  Type.Object({ results: Type.Array(Type.Record(Type.String(), Type.Unknown())) }),
  'the answer of maps',
);
const resultsOf = ({ json }: Answer) => readBody(json).results;

/** Asserts the fields that every answer of both operations has. */
function isComplete(t: ExecutionContext, answer: Answer): void {
  t.is(answer.status, 200, answer.text);
  const results = resultsOf(answer);
  t.is(answer.json?.['count'], results.length);
  const at = String(answer.json?.['utcOffsetAt']);
  t.is(new Date(at).toISOString(), at);
  t.true(Math.abs(Date.now() - Date.parse(at)) < 60_000, at);
  for (const result of results) {
    t.regex(String(result['utcOffset']), /^[+-]\d\d:\d\d$/);
  }
}

test('geocode finds a place by its name, for a trial', async (t) => {
  const answer = await buyers.trial().call(GEOCODE, { query: 'Kathmandu', limit: 1 });
  isComplete(t, answer);
  t.deepEqual(Object.keys(defined(answer.json)).sort(), ['count', 'query', 'results', 'utcOffsetAt']);
  t.is(answer.json?.['query'], 'Kathmandu');
  t.like(resultsOf(answer), [{ locality: 'Kathmandu', countryCode: 'NP', utcOffset: '+05:45', streetName: null }]);
  t.is(answer.headers.get('x-trial-status'), 'charged');
  t.is(answer.headers.get('x-trial-balance-atomic'), '36000');
});

test('reverse-geocode names a point, for a payment', async (t) => {
  const answer = await (await buyers.exact()).call(REVERSE_GEOCODE, '{"latitude":51.5074,"longitude":-0.0}');
  isComplete(t, answer);
  t.deepEqual(Object.keys(defined(answer.json)).sort(), ['coordinates', 'count', 'results', 'utcOffsetAt']);
  t.deepEqual(answer.json?.['coordinates'], { latitude: 51.5074, longitude: 0 });
  t.like(resultsOf(answer), [{ countryCode: 'GB', timeZone: 'Europe/London' }]);
  t.truthy(answer.headers.get('payment-response'));
});

test('an empty result is an answer and is charged', async (t) => {
  const buyer = buyers.trial();
  const nowhere = await buyer.call(GEOCODE, { query: 'qqqqzzzzxxxx' });
  const sea = await buyer.call(REVERSE_GEOCODE, { latitude: -48, longitude: -123 });
  for (const answer of [nowhere, sea]) {
    isComplete(t, answer);
    t.deepEqual(resultsOf(answer), []);
  }
  t.is(sea.headers.get('x-trial-balance-atomic'), '22000');
});

/** Starts another maps service with a provider, and a gateway that uses it. */
async function startWithProvider(t: ExecutionContext, url: URL): Promise<string> {
  const MAPS_URL = startExtraService(t, 'maps', {
    MAPS_THREADS: '1',
    MAPS_PROVIDER: 'photon',
    MAPS_PROVIDER_URL: url.href,
    MAPS_PROVIDER_TIMEOUT_MS: '2000',
  });
  const gateway = await startExtraGateway(stack, { MAPS_URL });
  t.teardown(gateway.stop);
  return gateway.url;
}

/** Geocodes once the gateway has connected to the service. */
const ask = (origin: string, body: object): Promise<Answer> =>
  until(async () => {
    const answer = await openBuyers(origin).trial().call(GEOCODE, body);
    return codeOf(answer) !== 'SERVICE_UNAVAILABLE' && answer;
  });

test("completes a provider's answer, and releases the credit if the provider fails (502) or is silent (504)", async (t) => {
  const feature = {
    type: 'Feature',
    properties: { type: 'city', name: 'Reykjavík', countrycode: 'IS' },
    geometry: { type: 'Point', coordinates: [-21.94, 64.15] },
  };
  const upstream = await startUpstream(t, answering({ type: 'FeatureCollection', features: [feature] }));
  const origin = await startWithProvider(t, upstream.baseUrl);

  const found = await ask(origin, { query: 'Reykjavik' });
  isComplete(t, found);
  t.like(resultsOf(found), [{ country: 'Iceland', timeZone: 'Atlantic/Reykjavik', utcOffset: '+00:00' }]);
  t.is(upstream.seen[0]?.query['q'], 'Reykjavik');

  upstream.behave(answering('secret words', 500));
  const failed = await ask(origin, { query: 'Reykjavik' });
  upstream.behave(silent);
  const late = await ask(origin, { query: 'Reykjavik' });
  t.deepEqual([failed.status, codeOf(failed)], [502, 'UPSTREAM_FAILURE']);
  t.deepEqual([late.status, codeOf(late)], [504, 'UPSTREAM_TIMEOUT']);
  for (const answer of [failed, late]) {
    t.false(/secret|photon|127\.0\.0\.1/.test(answer.text));
    t.is(answer.headers.get('x-trial-status'), 'released');
    t.is(answer.headers.get('x-trial-balance-atomic'), '50000');
  }
});

import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { startTied } from '../../scripts/launch/processes/tied-process.ts';
import { defined } from '../../workers/exact/defined.ts';
import { createWallet } from '../helpers/chain.ts';
import {
  type Answer,
  codeOf,
  fundedWallet,
  GEOCODE,
  pay,
  post,
  REVERSE_GEOCODE,
  requirementsOf,
  tryOnce,
} from '../helpers/client.ts';
import { entryPoint } from '../helpers/entry-point.ts';
import { startExtraGateway } from '../helpers/extra-gateway.ts';
import { INHERITED } from '../helpers/inherited.ts';
import { useSharedStack } from '../helpers/shared-stack.ts';
import { createTestFolder } from '../helpers/test-folder.ts';
import { until } from '../helpers/until.ts';
import { answering, silent, startUpstream } from '../helpers/upstream-server.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());

const RESULT_FIELDS = [
  'addressLine',
  'adminDistrict',
  'adminDistrict2',
  'adminDistrictCode',
  'confidence',
  'country',
  'countryCode',
  'formattedAddress',
  'latitude',
  'locality',
  'longitude',
  'matchCodes',
  'postalCode',
  'streetName',
  'streetNumber',
  'timeZone',
  'type',
  'utcOffset',
];
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
    t.deepEqual(Object.keys(result).sort(), RESULT_FIELDS);
    t.regex(String(result['utcOffset']), /^[+-]\d\d:\d\d$/);
  }
}

test('geocode finds a place by its name, for a trial', async (t) => {
  const answer = await tryOnce(stack.urls[0], { query: 'Kathmandu', limit: 1 }, createWallet(), GEOCODE);
  isComplete(t, answer);
  t.deepEqual(Object.keys(defined(answer.json)).sort(), ['count', 'query', 'results', 'utcOffsetAt']);
  t.is(answer.json?.['query'], 'Kathmandu');
  t.like(resultsOf(answer), [{ locality: 'Kathmandu', countryCode: 'NP', utcOffset: '+05:45', streetName: null }]);
  t.is(answer.headers.get('x-trial-status'), 'charged');
  t.is(answer.headers.get('x-trial-balance-atomic'), '36000');
});

test('answers a query with line breaks and tabs, and returns it unchanged', async (t) => {
  const query = '\tKathmandu,\r\nNepal\n';
  const answer = await tryOnce(stack.urls[0], { query, limit: 1 }, createWallet(), GEOCODE);
  isComplete(t, answer);
  t.is(answer.json?.['query'], query);
  t.like(resultsOf(answer), [{ locality: 'Kathmandu', countryCode: 'NP' }]);
});

test('reverse-geocode names a point, for a payment', async (t) => {
  const wallet = await fundedWallet(stack.urls[0]);
  const url = stack.urls[0] + REVERSE_GEOCODE;
  const payment = await pay(requirementsOf(await post(url, {})), wallet);
  const answer = await post(url, '{"latitude":51.5074,"longitude":-0.0}', { 'payment-signature': payment });
  isComplete(t, answer);
  t.deepEqual(Object.keys(defined(answer.json)).sort(), ['coordinates', 'count', 'results', 'utcOffsetAt']);
  t.deepEqual(answer.json?.['coordinates'], { latitude: 51.5074, longitude: 0 });
  t.like(resultsOf(answer), [{ countryCode: 'GB', timeZone: 'Europe/London' }]);
  t.truthy(answer.headers.get('payment-response'));
});

test('an empty result is an answer and is charged', async (t) => {
  const wallet = createWallet();
  const nowhere = await tryOnce(stack.urls[0], { query: 'qqqqzzzzxxxx' }, wallet, GEOCODE);
  const sea = await tryOnce(stack.urls[0], { latitude: -48, longitude: -123 }, wallet, REVERSE_GEOCODE);
  for (const answer of [nowhere, sea]) {
    isComplete(t, answer);
    t.deepEqual(resultsOf(answer), []);
  }
  t.is(sea.headers.get('x-trial-balance-atomic'), '22000');
});

/** Starts another maps service with a provider, and a gateway that uses it. */
async function startWithProvider(t: ExecutionContext, url: URL): Promise<string> {
  const { path, runDir, place, remove } = createTestFolder();
  const socket = join(runDir, 'maps.sock');
  const maps = startTied({
    command: process.execPath,
    args: [entryPoint('services/maps/main.ts')],
    cwd: path,
    logFd: place('maps').log.fd,
    env: {
      ...INHERITED,
      TOLLHOUSE_DATA: path,
      LISTEN: `unix:${socket}`,
      MAPS_THREADS: '1',
      MAPS_PROVIDER: 'photon',
      MAPS_PROVIDER_URL: url.href,
      MAPS_PROVIDER_TIMEOUT_MS: '2000',
    },
  });
  t.teardown(async () => {
    await maps.stop('SIGTERM', 3000);
    remove();
  });
  const gateway = await startExtraGateway(stack, { MAPS_URL: `unix:${socket}` });
  t.teardown(gateway.stop);
  return gateway.url;
}

/** Geocodes once the gateway has connected to the service. */
const ask = (origin: string, body: object): Promise<Answer> =>
  until(async () => {
    const answer = await tryOnce(origin, body, createWallet(), GEOCODE);
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

const NAMED: readonly (readonly [path: string, body: string, field: RegExp])[] = [
  [GEOCODE, '{"query":"a","biasLongitude":1}', /biasLongitude requires biasLatitude/],
  [GEOCODE, '{"query":"a","limit":6}', /limit must be at most 5/],
  [GEOCODE, '{"query":"a","limit":1.5}', /limit must be of type integer/],
  [GEOCODE, '{"query":"a","language":"a"}', /language must be at least 2/],
  [GEOCODE, '{"query":" "}', /query must contain/],
  [GEOCODE, '{"query":"a\\udc00"}', /query: a string has a lone surrogate/],
  [REVERSE_GEOCODE, '{"latitude":-90.0001,"longitude":0}', /latitude must be at least -90/],
  [REVERSE_GEOCODE, '{"latitude":0,"longitude":1e400}', /longitude: a number is too large/],
  [REVERSE_GEOCODE, '{"latitude":0}', /longitude is required/],
];

for (const [path, body, field] of NAMED) {
  test(`${body} is refused by a message that names the field and the rule`, async (t) => {
    const answer = await post(stack.urls[0] + path, body);
    t.is(answer.status, 400);
    t.regex(answer.text, field);
  });
}

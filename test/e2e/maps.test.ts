import test, { type ExecutionContext } from 'ava';
import { Type } from 'typebox';
import { createReader } from '../../scripts/launch/parse/json-reader.ts';
import { openBuyers } from '../kit/buyers.ts';
import { type Answer, codeOf, GEOCODE } from '../kit/client.ts';
import { startExtraGateway } from '../kit/extra-gateway.ts';
import { startExtraService } from '../kit/extra-service.ts';
import { useSharedStack } from '../kit/shared-stack.ts';
import { until } from '../kit/until.ts';
import { answering, silent, startUpstream } from '../kit/upstream-server.ts';

const stack = await useSharedStack();
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

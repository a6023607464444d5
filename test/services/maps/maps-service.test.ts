import { status } from '@grpc/grpc-js';
import test from 'ava';
import { Type } from 'typebox';
import { geocode } from '../../../gateway/operations/geocode/operation.ts';
import { toAddress } from '../../../gateway/operations/operation/address.ts';
import { reverseGeocode } from '../../../gateway/operations/reverse-geocode/operation.ts';
import type { GeocodeRequest, ReverseGeocodeRequest } from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { createReader } from '../../../scripts/launch/parse/json-reader.ts';
import { readGazetteer } from '../../../services/maps/geocoder/gazetteer-files.ts';
import { createGazetteerGeocoder } from '../../../services/maps/geocoder/gazetteer-geocoder.ts';
import { createGeocodingPool } from '../../../services/maps/geocoder/geocoding-pool.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { HANG_MS } from '../../kit/until.ts';
import { serve } from './serve.ts';

const pool = createGeocodingPool({ threads: 1, workerData: await readGazetteer() });
const served = await serve(createGazetteerGeocoder(pool));
test.after.always(async () => {
  await served.stop();
  await pool.close();
});

const settings = { timeoutMs: HANG_MS };
const forward = (request: GeocodeRequest) => served.channels.call((client) => client.geocode, request, settings);
const reverse = (request: ReverseGeocodeRequest) =>
  served.channels.call((client) => client.reverseGeocode, request, settings);

const readQuery = createReader(
  Type.Object(
    { query: Type.String(), language: Type.String(), limit: Type.Integer() },
    { additionalProperties: false },
  ),
  'the example of a query',
);
const readPoint = createReader(
  Type.Object({ latitude: Type.Number(), longitude: Type.Number() }, { additionalProperties: false }),
  'the example of a point',
);

test('the published examples match the answers', async (t) => {
  const found = await forward(readQuery(geocode.requestExample));
  t.deepEqual({ ...found, results: found.results.map(toAddress) }, geocode.responseExample);
  const at = await reverse(readPoint(reverseGeocode.requestExample));
  t.deepEqual({ ...at, results: at.results.map(toAddress) }, reverseGeocode.responseExample);
});

test('returns up to five results unless the request has a limit', async (t) => {
  t.is((await forward({ query: 'Springfield' })).count, 5);
  const { count, results } = await forward({ query: 'Springfield', limit: 2 });
  t.deepEqual([count, results.length], [2, 2]);
});

test('a query without a match returns an empty list', async (t) => {
  t.like(await forward({ query: 'qqqqzzzzxxxx' }), { query: 'qqqqzzzzxxxx', count: 0, results: [] });
});

test('any white space in a query counts as a space, and the answer repeats the query unchanged', async (t) => {
  const plain = await forward({ query: '1200 Washington Ave Springfield Illinois' });
  t.true(plain.count > 0);
  const query = '1200 Washington Ave\r\nSpringfield\tIllinois\n';
  const pasted = await forward({ query });
  t.is(pasted.query, query);
  t.deepEqual(pasted.results, plain.results);
});

test('an answer repeats its query unchanged, and its point with zero for negative zero', async (t) => {
  t.is((await forward({ query: '  Łódź ' })).query, '  Łódź ');
  const { coordinates } = await reverse({ latitude: -0, longitude: -0 });
  t.deepEqual(coordinates, { latitude: 0, longitude: 0 });
  const edge = await reverse({ latitude: 90, longitude: -180 });
  t.deepEqual(edge.coordinates, { latitude: 90, longitude: -180 });
});

test('a query that is a point is answered as reverse-geocode answers, once and at the point', async (t) => {
  const point = { latitude: 52.5, longitude: 13.4 };
  const [expected] = (await reverse(point)).results;
  t.truthy(expected);
  for (const query of ['52.5, 13.4', '13.4 E 52.5 N', 'geo:52.5,13.4']) {
    t.deepEqual((await forward({ query, limit: 5 })).results, [{ ...expected, ...point }], query);
  }
  t.is((await forward({ query: '0.0, -30.0' })).count, 0);
});

const bad: readonly (readonly [string, GeocodeRequest, string])[] = [
  ['an empty query', { query: '' }, 'query'],
  ['a query of white space', { query: ' \u00a0\ufeff' }, 'query'],
  ['a query over 2,048 characters', { query: 'a'.repeat(2049) }, 'query'],
  ['a query of 100 KB', { query: '😀'.repeat(25_600) }, 'query'],
  ['a query with NUL', { query: 'a\0b' }, 'query'],
  ['a query with DEL', { query: 'a\u007fb' }, 'query'],
  ['a query with a C1 control', { query: 'a\u0085b' }, 'query'],
  ['a point beyond the pole', { query: 'geo:90.01,0' }, 'query: latitude'],
  ['a point beyond both ranges', { query: '95.5, 200.5' }, 'query: latitude'],
  ['a point beyond the date line', { query: '10.5 N 180.5 E' }, 'query: longitude'],
  ['a point with 60 minutes', { query: "52° 60' N 13° 0' E" }, 'query: latitude'],
  ['a language of one letter', { query: 'a', language: 'd' }, 'language'],
  ['a language of 36 characters', { query: 'a', language: `de${'-abcdefgh'.repeat(3)}-abcdef` }, 'language'],
  ['a limit of zero', { query: 'a', limit: 0 }, 'limit'],
  ['a limit of six', { query: 'a', limit: 6 }, 'limit'],
  ['a bias without a longitude', { query: 'a', biasLatitude: 1 }, 'bias_latitude requires bias_longitude'],
  ['a bias without a latitude', { query: 'a', biasLongitude: 1 }, 'bias_longitude requires bias_latitude'],
  ['a bias beyond the pole', { query: 'a', biasLatitude: 90.0001, biasLongitude: 0 }, 'bias_latitude'],
  ['a bias that is infinite', { query: 'a', biasLatitude: 0, biasLongitude: Infinity }, 'bias_longitude'],
];
for (const [title, request, named] of bad) {
  test(`refuses ${title} with INVALID_ARGUMENT and the name of the field`, async (t) => {
    const error = await t.throwsAsync(forward(request), { instanceOf: CallError });
    t.deepEqual([error.status, error.code], [status.INVALID_ARGUMENT, 'INVALID_ARGUMENT']);
    t.true(error.message.startsWith(named), error.message);
  });
}

test('refuses invalid coordinates with INVALID_ARGUMENT', async (t) => {
  for (const [latitude, longitude, named] of [
    [90.0001, 0, /^latitude/],
    [Number.NaN, 0, /^latitude/],
    [0, -180.1, /^longitude/],
  ] as const) {
    const error = await t.throwsAsync(reverse({ latitude, longitude }), { instanceOf: CallError });
    t.is(error.code, 'INVALID_ARGUMENT');
    t.regex(error.message, named);
  }
});

test('answers a query of 2,048 characters of any kind', async (t) => {
  for (const character of ['a', '😀', '́']) await t.notThrowsAsync(forward({ query: character.repeat(2048) }));
});

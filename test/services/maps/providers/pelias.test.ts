import test, { type ExecutionContext } from 'ava';
import { createPeliasGeocoder } from '../../../../services/maps/providers/pelias.ts';
import { answering, startUpstream } from '../../../kit/upstream-server.ts';
import { HERE, KEY, optionsFor, patiently, UNKNOWN } from './adapters.ts';

const features = (...list: readonly object[]) => ({
  geocoding: { version: '0.2', query: { size: 10 }, engine: { name: 'Pelias' } },
  type: 'FeatureCollection',
  features: list.map((properties) => ({
    type: 'Feature',
    properties: { gid: 'openaddresses:address:1', source: 'openaddresses', accuracy: 'point', ...properties },
    geometry: { type: 'Point', coordinates: [-73.990342, 40.744243] },
  })),
});
const POINT = { latitude: 40.744243, longitude: -73.990342 };

const WEST_26TH = {
  layer: 'address',
  name: '30 West 26th Street',
  label: '30 West 26th Street, New York, NY, USA',
  confidence: 1,
  match_type: 'exact',
  housenumber: '30',
  street: 'West 26th Street',
  postalcode: '10010',
  locality: 'New York',
  localadmin: 'Manhattan',
  county: 'New York County',
  region: 'New York',
  region_a: 'NY',
  country: 'United States',
  country_a: 'USA',
  country_code: 'US',
};

const EXPECTED = {
  ...POINT,
  formattedAddress: null,
  addressLine: null,
  streetNumber: '30',
  streetName: 'West 26th Street',
  locality: 'New York',
  postalCode: '10010',
  adminDistrict: 'New York',
  adminDistrictCode: 'NY',
  adminDistrict2: 'New York County',
  country: 'United States',
  countryCode: 'US',
  type: 'Address',
  confidence: 'High',
  matchCodes: ['Good'],
} as const;

async function search(t: ExecutionContext, ...list: readonly object[]) {
  const upstream = await startUpstream(t, answering(features(...list)));
  const geocoder = createPeliasGeocoder(optionsFor(upstream.baseUrl));
  return geocoder.geocode({ query: 'x', language: undefined, limit: 5, bias: undefined }, patiently());
}

test('sends a query as documented, with the key, and reads every field', async (t) => {
  const upstream = await startUpstream(t, answering(features(WEST_26TH)));
  const geocoder = createPeliasGeocoder({ ...optionsFor(upstream.baseUrl), key: KEY });
  const query = { query: '30 w 26 st', language: 'en-US', limit: 2 };
  t.deepEqual(await geocoder.geocode({ ...query, bias: { latitude: 40.7, longitude: -74 } }, patiently()), [EXPECTED]);
  t.is(upstream.seen[0]?.path, '/v1/search');
  t.deepEqual(upstream.seen[0]?.query, {
    text: '30 w 26 st',
    size: '2',
    lang: 'en-US',
    'focus.point.lat': '40.7',
    'focus.point.lon': '-74',
    api_key: KEY,
  });
});

test('sends a point as documented, without a key if none is configured', async (t) => {
  const upstream = await startUpstream(
    t,
    answering(features({ ...WEST_26TH, confidence: 0.7, match_type: undefined })),
  );
  const geocoder = createPeliasGeocoder(optionsFor(upstream.baseUrl));
  t.deepEqual(await geocoder.reverse(HERE, patiently()), [{ ...EXPECTED, confidence: 'Medium' }]);
  t.is(upstream.seen[0]?.path, '/v1/reverse');
  t.deepEqual(upstream.seen[0]?.query, { 'point.lat': '52.5', 'point.lon': '13.4', size: '1', lang: 'de' });
});

test('the type comes from the layer', async (t) => {
  const cases = [
    [
      { layer: 'venue', name: 'Louvre', label: 'Louvre, Paris' },
      { type: null, formattedAddress: 'Louvre, Paris' },
    ],
    [
      { layer: 'venue', housenumber: '1', street: 'Am Markt' },
      { type: 'Address', streetNumber: '1', streetName: 'Am Markt' },
    ],
    [
      { layer: 'street', name: 'Am Markt' },
      { type: 'RoadBlock', streetName: 'Am Markt' },
    ],
    [{ layer: 'intersection' }, { type: 'RoadIntersection' }],
    [
      { layer: 'borough', label: 'Kreuzberg, Berlin, Germany', locality: 'Berlin' },
      { type: 'Neighborhood', formattedAddress: 'Kreuzberg, Berlin, Germany', locality: 'Berlin' },
    ],
    [
      { layer: 'localadmin', localadmin: 'Bray' },
      { type: 'PopulatedPlace', locality: 'Bray' },
    ],
    [
      { layer: 'postalcode', name: '10785' },
      { type: 'Postcode1', postalCode: '10785' },
    ],
    [
      { layer: 'county', county: 'Kerry' },
      { type: 'AdminDivision2', adminDistrict2: 'Kerry' },
    ],
    [
      { layer: 'region', region: 'Bayern' },
      { type: 'AdminDivision1', adminDistrict: 'Bayern' },
    ],
    [
      { layer: 'dependency', dependency: 'Aruba' },
      { type: 'CountryRegion', country: 'Aruba' },
    ],
    [{ layer: 'ocean' }, { type: null }],
  ] as const;
  for (const [properties, expected] of cases) {
    t.deepEqual(await search(t, properties), [{ ...UNKNOWN, ...POINT, ...expected }]);
  }
});

test('the confidence and match codes come from confidence and match_type', async (t) => {
  const results = await search(
    t,
    { confidence: 0.8, match_type: 'interpolated' },
    { confidence: 0.6, match_type: 'fallback' },
    { confidence: 0.2, match_type: 'unknown' },
    { confidence: 0 },
    {},
  );
  t.deepEqual(
    results.map(({ confidence, matchCodes }) => [confidence, ...matchCodes]),
    [['High', 'Good'], ['Medium', 'UpHierarchy'], ['Low'], ['Low'], [null]],
  );
});

test('an abbreviation of a region or country is a code only if it is an ISO code', async (t) => {
  const results = await search(
    t,
    { region: 'Tirol', region_a: 'TR', country_a: 'AUT', country_code: 'AT' },
    { region: 'Ontario', region_a: 'ON', country_a: 'CAN' },
    { region_a: 'BE', country_a: 'DEU' },
  );
  t.deepEqual(
    results.map(({ adminDistrictCode, countryCode }) => [adminDistrictCode, countryCode]),
    [
      [null, 'AT'],
      ['ON', null],
      [null, null],
    ],
  );
});

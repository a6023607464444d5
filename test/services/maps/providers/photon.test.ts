import test, { type ExecutionContext } from 'ava';
import { createPhotonGeocoder } from '../../../../services/maps/providers/photon.ts';
import { answering, startUpstream } from '../../../kit/upstream-server.ts';
import { HERE, optionsFor, patiently, UNKNOWN } from './adapters.ts';

const features = (...list: readonly object[]) => ({
  type: 'FeatureCollection',
  features: list.map((properties) => ({
    type: 'Feature',
    properties: { osm_type: 'W', osm_id: 38862723, extent: [13.2, 52.5, 13.3, 52.4], ...properties },
    geometry: { type: 'Point', coordinates: [13.239514, 52.514679] },
  })),
});
const POINT = { latitude: 52.514679, longitude: 13.239514 };

const STADIUM = {
  name: 'Olympiastadion',
  street: 'Olympischer Platz',
  housenumber: '3',
  postcode: '14053',
  district: 'Westend',
  city: 'Berlin',
  county: 'Charlottenburg-Wilmersdorf',
  state: 'Berlin',
  country: 'Deutschland',
  countrycode: 'de',
  osm_key: 'leisure',
  osm_value: 'stadium',
  type: 'house',
};

const EXPECTED = {
  ...POINT,
  formattedAddress: null,
  addressLine: null,
  streetNumber: '3',
  streetName: 'Olympischer Platz',
  locality: 'Berlin',
  postalCode: '14053',
  adminDistrict: 'Berlin',
  adminDistrictCode: null,
  adminDistrict2: 'Charlottenburg-Wilmersdorf',
  country: 'Deutschland',
  countryCode: 'DE',
  type: 'Address',
  confidence: null,
  matchCodes: [],
} as const;

async function search(t: ExecutionContext, query: string, ...list: readonly object[]) {
  const upstream = await startUpstream(t, answering(features(...list)));
  const geocoder = createPhotonGeocoder(optionsFor(upstream.baseUrl));
  return geocoder.geocode({ query, language: undefined, limit: 5, bias: undefined }, patiently());
}

test('sends a query as documented, and reads every field', async (t) => {
  const upstream = await startUpstream(t, answering(features(STADIUM)));
  const geocoder = createPhotonGeocoder(optionsFor(upstream.baseUrl));
  const query = { query: 'Olympischer Platz 3', language: 'de-AT', limit: 2 };
  t.deepEqual(await geocoder.geocode({ ...query, bias: { latitude: 52, longitude: 10 } }, patiently()), [EXPECTED]);
  t.is(upstream.seen[0]?.path, '/api');
  t.deepEqual(upstream.seen[0]?.query, { q: 'Olympischer Platz 3', limit: '2', lang: 'de', lat: '52', lon: '10' });
});

test('sends a point as documented', async (t) => {
  const upstream = await startUpstream(t, answering(features(STADIUM, { type: 'city', name: 'Berlin' })));
  const geocoder = createPhotonGeocoder(optionsFor(upstream.baseUrl));
  t.deepEqual(await geocoder.reverse(HERE, patiently()), [
    { ...EXPECTED, matchCodes: ['Good'] },
    { ...UNKNOWN, ...POINT, locality: 'Berlin', type: 'PopulatedPlace', matchCodes: ['UpHierarchy'] },
  ]);
  t.is(upstream.seen[0]?.path, '/reverse');
  t.deepEqual(upstream.seen[0]?.query, { lat: '52.5', lon: '13.4', lang: 'de' });
});

test('sends only languages that every server supports', async (t) => {
  const upstream = await startUpstream(t, answering(features()));
  const geocoder = createPhotonGeocoder(optionsFor(upstream.baseUrl));
  for (const language of ['en', 'FR-ca', 'it', 'deu', undefined]) {
    await geocoder.reverse({ ...HERE, language }, patiently());
  }
  t.deepEqual(
    upstream.seen.map(({ query }) => query['lang']),
    ['en', 'fr', undefined, undefined, undefined],
  );
});

test('the name of the place is in the field of its type', async (t) => {
  const cases = [
    [
      { type: 'street', name: 'Am Markt' },
      { type: 'RoadBlock', streetName: 'Am Markt' },
    ],
    [
      { type: 'city', name: 'Bray' },
      { type: 'PopulatedPlace', locality: 'Bray' },
    ],
    [
      { type: 'district', osm_key: 'place', osm_value: 'hamlet', name: 'Maney', city: 'Birmingham' },
      { type: 'PopulatedPlace', locality: 'Maney' },
    ],
    [
      { type: 'other', osm_key: 'place', osm_value: 'postcode', name: '10785' },
      { type: 'Postcode1', postalCode: '10785' },
    ],
    [
      { type: 'county', name: 'Kerry' },
      { type: 'AdminDivision2', adminDistrict2: 'Kerry' },
    ],
    [
      { type: 'state', name: 'Bayern' },
      { type: 'AdminDivision1', adminDistrict: 'Bayern' },
    ],
    [
      { type: 'country', name: 'Peru' },
      { type: 'CountryRegion', country: 'Peru' },
    ],
    [
      { osm_key: 'place', osm_value: 'city', name: 'Berlin' },
      { type: 'PopulatedPlace', locality: 'Berlin' },
    ],
    [
      { type: 'district', name: 'Kreuzberg', city: 'Berlin', state: 'Berlin' },
      { type: 'Neighborhood', locality: 'Berlin', adminDistrict: 'Berlin', formattedAddress: 'Kreuzberg, Berlin' },
    ],
    [
      { type: 'house', osm_key: 'tourism', osm_value: 'attraction', name: 'Big Ben', country: 'UK' },
      { type: null, country: 'UK', formattedAddress: 'Big Ben, UK' },
    ],
    [{ type: 'valueOf' }, { type: null }],
  ] as const;
  for (const [properties, expected] of cases) {
    t.deepEqual(await search(t, 'x', properties), [{ ...UNKNOWN, ...POINT, ...expected }]);
  }
});

test('a result without the house number of the query is UpHierarchy; any other match is unknown', async (t) => {
  const [street] = await search(t, 'Am Markt 7', { type: 'street', name: 'Am Markt' });
  t.like(street, { matchCodes: ['UpHierarchy'], confidence: null });
  const [house] = await search(t, 'Am Markt 7', { type: 'house', street: 'Am Markt', housenumber: '7a' });
  t.like(house, { matchCodes: [], confidence: null });
});

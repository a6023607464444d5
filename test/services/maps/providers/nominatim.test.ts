import test, { type ExecutionContext } from 'ava';
import { createNominatimGeocoder } from '../../../../services/maps/providers/nominatim.ts';
import { answering, startUpstream } from '../../../kit/upstream-server.ts';
import { HERE, optionsFor, patiently, UNKNOWN } from './adapters.ts';

const place = (addresstype: string, address: object, over: object = {}) => ({
  place_id: 100149,
  licence: 'Data © OpenStreetMap contributors, ODbL 1.0. http://osm.org/copyright',
  osm_type: 'way',
  osm_id: 90394420,
  lat: '52.5487921',
  lon: '-1.8164308',
  category: 'building',
  type: 'residential',
  place_rank: 30,
  importance: 0.00000999,
  addresstype,
  name: '',
  display_name: Object.values(address).join(', '),
  boundingbox: ['52.5487473', '52.5488481', '-1.8165130', '-1.8163464'],
  address,
  ...over,
});

const PILKINGTON = {
  house_number: '135',
  road: 'Pilkington Avenue',
  hamlet: 'Maney',
  town: 'Sutton Coldfield',
  village: 'Wylde Green',
  city: 'Birmingham',
  'ISO3166-2-lvl8': 'GB-BIR',
  state_district: 'West Midlands Combined Authority',
  state: 'England',
  'ISO3166-2-lvl4': 'GB-ENG',
  postcode: 'B72 1LH',
  country: 'United Kingdom',
  country_code: 'gb',
};

const EXPECTED = {
  latitude: 52.5487921,
  longitude: -1.8164308,
  formattedAddress: null,
  addressLine: null,
  streetNumber: '135',
  streetName: 'Pilkington Avenue',
  locality: 'Birmingham',
  postalCode: 'B72 1LH',
  adminDistrict: 'England',
  adminDistrictCode: 'ENG',
  adminDistrict2: 'West Midlands Combined Authority',
  country: 'United Kingdom',
  countryCode: 'GB',
  type: 'Address',
  confidence: 'High',
  matchCodes: ['Good'],
} as const;

async function search(t: ExecutionContext, query: string, ...places: readonly unknown[]) {
  const upstream = await startUpstream(t, answering(places));
  const geocoder = createNominatimGeocoder(optionsFor(upstream.baseUrl));
  return geocoder.geocode({ query, language: undefined, limit: 5, bias: undefined }, patiently());
}

test('sends a query as documented, with the name of the application, and reads every field', async (t) => {
  const upstream = await startUpstream(t, answering([place('building', PILKINGTON)]));
  const geocoder = createNominatimGeocoder(optionsFor(upstream.baseUrl));
  const query = { query: '135 pilkington avenue, birmingham', language: 'en-GB', limit: 2 };
  t.deepEqual(await geocoder.geocode({ ...query, bias: { latitude: 52.5, longitude: 179.9 } }, patiently()), [
    EXPECTED,
  ]);
  t.is(upstream.seen[0]?.path, '/search');
  t.deepEqual(upstream.seen[0]?.query, {
    q: '135 pilkington avenue, birmingham',
    format: 'jsonv2',
    addressdetails: '1',
    limit: '2',
    'accept-language': 'en-GB',
    viewbox: '179.4,52,180,53',
  });
  t.is(upstream.seen[0]?.headers['user-agent'], 'tollhouse');
});

test('sends a point as documented', async (t) => {
  const upstream = await startUpstream(t, answering(place('building', PILKINGTON)));
  const geocoder = createNominatimGeocoder(optionsFor(upstream.baseUrl));
  t.deepEqual(await geocoder.reverse({ ...HERE, language: undefined }, patiently()), [
    { ...EXPECTED, confidence: null },
  ]);
  t.is(upstream.seen[0]?.path, '/reverse');
  t.deepEqual(upstream.seen[0]?.query, { lat: '52.5', lon: '13.4', format: 'jsonv2', addressdetails: '1' });
});

test('a place that is larger than an address is UpHierarchy', async (t) => {
  const upstream = await startUpstream(t, answering(place('state', { state: 'Sonora', country_code: 'mx' })));
  const geocoder = createNominatimGeocoder(optionsFor(upstream.baseUrl));
  const [address] = await geocoder.reverse(HERE, patiently());
  t.like(address, { type: 'AdminDivision1', matchCodes: ['UpHierarchy'], confidence: null });
});

test('the type comes from addresstype, or from type on older servers; sights have no type', async (t) => {
  const cases = [
    [place('amenity', { amenity: 'Café', house_number: '3', road: 'Am Markt' }), 'Address'],
    [place('road', { road: 'Am Markt' }), 'RoadBlock'],
    [place('suburb', { suburb: 'Kreuzberg', city: 'Berlin' }), 'Neighborhood'],
    [place('hamlet', { hamlet: 'Maney' }), 'PopulatedPlace'],
    [place('postcode', { postcode: '10785' }), 'Postcode1'],
    [place('county', { county: 'Kerry' }), 'AdminDivision2'],
    [place('province', { province: 'Ontario' }), 'AdminDivision1'],
    [place('country', { country: 'Peru' }), 'CountryRegion'],
    [place('tourism', { tourism: 'Big Ben', road: 'Bridge Street' }), null],
    [place('constructor', {}), null],
    [{ ...place('', { town: 'Bray' }), addresstype: undefined, type: 'town' }, 'PopulatedPlace'],
  ] as const;
  for (const [given, type] of cases) t.is((await search(t, 'x', given))[0]?.type, type);
});

test('a populated place is its own locality, and a sight keeps its name', async (t) => {
  const [village] = await search(t, 'Wylde Green', place('village', { ...PILKINGTON, house_number: undefined }));
  t.is(village?.locality, 'Wylde Green');
  const [sight] = await search(t, 'Big Ben', place('tourism', { tourism: 'Big Ben', country: 'United Kingdom' }));
  t.deepEqual(sight, {
    ...UNKNOWN,
    latitude: 52.5487921,
    longitude: -1.8164308,
    formattedAddress: 'Big Ben, United Kingdom',
    country: 'United Kingdom',
    confidence: 'High',
    matchCodes: ['Good'],
  });
});

test('a result without the house number of the query is UpHierarchy', async (t) => {
  const road = place('road', { road: 'West 34th Street', city: 'New York' });
  const codes = async (query: string) => (await search(t, query, road))[0]?.matchCodes;
  t.deepEqual(await codes('W 34 St, New York'), ['Good']);
  t.deepEqual(await codes('350 W 34th St, New York'), ['UpHierarchy']);
  t.deepEqual(await codes('３５０ W 34th St, New York'), ['UpHierarchy']);
});

test('results of one type and of similar importance are ambiguous', async (t) => {
  const town = (state: string, importance: number) => place('town', { town: 'Springfield', state }, { importance });
  const results = await search(
    t,
    'Springfield',
    town('Massachusetts', 0.62),
    town('Illinois', 0.6),
    town('Vermont', 0.3),
    place('county', { county: 'Springfield' }, { importance: 0.6 }),
  );
  t.deepEqual(
    results.map(({ matchCodes, confidence }) => [...matchCodes, confidence]),
    [
      ['Ambiguous', 'Medium'],
      ['Ambiguous', 'Medium'],
      ['Ambiguous', 'Medium'],
      ['Good', 'High'],
    ],
  );
  const [paris, texas] = await search(t, 'Paris', town('France', 0.9), town('Texas', 0.5));
  t.deepEqual(paris?.matchCodes, ['Good']);
  t.deepEqual(texas?.matchCodes, ['Ambiguous'], 'another is more important');
});

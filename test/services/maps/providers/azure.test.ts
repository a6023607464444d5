import test from 'ava';
import { createAzureGeocoder } from '../../../../services/maps/providers/azure.ts';
import { answering, startUpstream } from '../../../kit/upstream-server.ts';
import { KEY, optionsFor, patiently, UNKNOWN } from './adapters.ts';

const feature = (properties: object) => ({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      properties,
      geometry: { type: 'Point', coordinates: [13.376294, 52.509669] },
      bbox: [1, 2, 3, 4],
    },
  ],
});

const POTSDAMER_PLATZ = feature({
  type: 'Address',
  confidence: 'High',
  matchCodes: ['Good'],
  address: {
    addressLine: 'Potsdamer Platz 1',
    locality: 'Berlin',
    neighborhood: 'Tiergarten',
    adminDistricts: [
      { name: 'Land Berlin', shortName: 'BE' },
      { name: 'Mitte', shortName: 'Mitte' },
    ],
    postalCode: '10785',
    countryRegion: { name: 'Deutschland', ISO: 'de' },
    formattedAddress: 'Potsdamer Platz 1, 10785 Berlin, Deutschland',
    streetName: 'Potsdamer Platz',
    streetNumber: '1',
  },
  geocodePoints: [
    { geometry: { type: 'Point', coordinates: [0, 0] }, calculationMethod: 'Rooftop', usageTypes: ['Display'] },
  ],
});

const EXPECTED = {
  latitude: 52.509669,
  longitude: 13.376294,
  formattedAddress: 'Potsdamer Platz 1, 10785 Berlin, Deutschland',
  addressLine: 'Potsdamer Platz 1',
  streetNumber: '1',
  streetName: 'Potsdamer Platz',
  locality: 'Berlin',
  postalCode: '10785',
  adminDistrict: 'Land Berlin',
  adminDistrictCode: 'BE',
  adminDistrict2: 'Mitte',
  country: 'Deutschland',
  countryCode: 'DE',
  type: 'Address',
  confidence: 'High',
  matchCodes: ['Good'],
} as const;

test('sends a query as documented, with the key in a header, and reads every field', async (t) => {
  const upstream = await startUpstream(t, answering(POTSDAMER_PLATZ));
  const geocoder = createAzureGeocoder({ ...optionsFor(upstream.baseUrl), key: KEY });
  const query = { query: 'Potsdamer Platz 1 & mehr', language: 'de-DE', limit: 3 };
  t.deepEqual(await geocoder.geocode({ ...query, bias: { latitude: 52.5, longitude: -1e-7 } }, patiently()), [
    EXPECTED,
  ]);
  t.is(upstream.seen[0]?.path, '/geocode');
  t.deepEqual(upstream.seen[0]?.query, {
    'api-version': '2025-01-01',
    query: 'Potsdamer Platz 1 & mehr',
    top: '3',
    coordinates: '-0.0000001,52.5',
  });
  t.like(upstream.seen[0]?.headers, { 'subscription-key': KEY, 'accept-language': 'de-DE', 'user-agent': 'tollhouse' });
});

test('sends a point as documented, longitude first', async (t) => {
  const upstream = await startUpstream(t, answering(POTSDAMER_PLATZ));
  const geocoder = createAzureGeocoder({ ...optionsFor(upstream.baseUrl), key: KEY });
  const point = { latitude: 52.509669, longitude: 13.376294 };
  t.deepEqual(await geocoder.reverse({ point, language: undefined }, patiently()), [EXPECTED]);
  t.is(upstream.seen[0]?.path, '/reverseGeocode');
  t.deepEqual(upstream.seen[0]?.query, { 'api-version': '2025-01-01', coordinates: '13.376294,52.509669' });
  t.is(upstream.seen[0]?.headers['subscription-key'], KEY);
});

test('missing, empty and undocumented values are unknown', async (t) => {
  const upstream = await startUpstream(t);
  const geocoder = createAzureGeocoder({ ...optionsFor(upstream.baseUrl), key: KEY });
  const read = async (properties: object) => {
    upstream.behave(answering(feature(properties)));
    const [address] = await geocoder.geocode(
      { query: 'x', language: undefined, limit: 1, bias: undefined },
      patiently(),
    );
    return address;
  };
  const unknown = { ...UNKNOWN, latitude: 52.509669, longitude: 13.376294 };
  t.deepEqual(await read({}), unknown);
  t.deepEqual(
    await read({
      type: 'constructor',
      confidence: 'Certain',
      matchCodes: ['Perfect', 'UpHierarchy', 'toString'],
      address: { addressLine: '', locality: ' ', postalCode: null, adminDistricts: [], countryRegion: { ISO: 'DEU' } },
    }),
    { ...unknown, matchCodes: ['UpHierarchy'] },
  );
});

test('a short name that looks like a code is a code, and any other is a name', async (t) => {
  const upstream = await startUpstream(t);
  const geocoder = createAzureGeocoder({ ...optionsFor(upstream.baseUrl), key: KEY });
  const read = async (...adminDistricts: readonly object[]) => {
    upstream.behave(answering(feature({ address: { adminDistricts, countryRegion: { name: 'United States' } } })));
    const [address] = await geocoder.reverse(
      { point: { latitude: 0, longitude: 0 }, language: undefined },
      patiently(),
    );
    return [address?.adminDistrict, address?.adminDistrictCode, address?.adminDistrict2, address?.countryCode];
  };
  t.deepEqual(await read({ shortName: 'WA' }, { shortName: 'King County' }), [null, 'WA', 'King County', null]);
  t.deepEqual(await read({ name: 'Washington', shortName: 'WA' }, { name: 'King County', shortName: 'King Co.' }), [
    'Washington',
    'WA',
    'King County',
    null,
  ]);
  t.deepEqual(await read({ shortName: 'England' }), ['England', null, null, null]);
});

import test from 'ava';
import { readGazetteer } from '../../../services/maps/geocoder/gazetteer-files.ts';
import { createGeocodingPool } from '../../../services/maps/geocoder/geocoding-pool.ts';

const AT_MS = Date.parse('2026-01-01T00:00:00Z');
const pool = createGeocodingPool({ threads: 2, workerData: await readGazetteer() });
test.after.always(() => pool.close());

test('threads that share memory give the same answers', async (t) => {
  const task = { kind: 'geocode', query: { query: 'Łódź', limit: 5 }, atMs: AT_MS } as const;
  const [first, ...others] = await Promise.all(Array.from({ length: 8 }, () => pool.run(task)));
  t.like(first, { ok: true, value: [{ locality: 'Łódź', utcOffset: '+01:00' }] });
  for (const other of others) t.deepEqual(other, first);
});

test('a provider’s addresses are completed', async (t) => {
  const found = {
    latitude: 27.7,
    longitude: 85.3,
    formattedAddress: null,
    addressLine: null,
    streetNumber: null,
    streetName: null,
    locality: 'Kathmandu',
    postalCode: null,
    adminDistrict: null,
    adminDistrictCode: null,
    adminDistrict2: null,
    country: null,
    countryCode: 'NP',
    type: null,
    confidence: null,
    matchCodes: [],
  } as const;
  const answer = await pool.run({ kind: 'complete', addresses: [found], language: 'de', atMs: AT_MS });
  t.deepEqual(answer, {
    ok: true,
    value: [
      {
        ...found,
        adminDistrict: 'Bagmati Province',
        adminDistrictCode: 'P3',
        country: 'Nepal',
        formattedAddress: 'Kathmandu, Bagmati Province, Nepal',
        timeZone: 'Asia/Kathmandu',
        utcOffset: '+05:45',
      },
    ],
  });
});

import test from 'ava';
import { createGeocoding } from '../../../workers/geocoding/geocoding.ts';
import { fc } from '../../kit/fast-check.ts';
import { runs } from '../../kit/property-runs.ts';
import { openOwnGazetteer } from './open-gazetteer.ts';

const AT_MS = Date.parse('2026-07-01T00:00:00Z');
const geocoding = createGeocoding(await openOwnGazetteer());
/** A second instance, as another thread has. */
const other = createGeocoding(await openOwnGazetteer());

/** Pieces of addresses in any order, and arbitrary text. */
const words = fc.constantFrom(
  'San',
  'José',
  'Paris',
  'TX',
  'Texas',
  '75460',
  '12',
  'rue',
  'de',
  'Main St',
  'Via Roma',
  ',',
  '東京都',
  '千代田',
  'Москва',
  'القاهرة',
  'Frankfrut',
  'Germany',
  'City of',
  '-',
);
const queryArb = fc.oneof(
  fc.array(words, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(' ')),
  fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
);
const pointArb = fc.record({
  latitude: fc.double({ min: -90, max: 90, noNaN: true }),
  longitude: fc.double({ min: -180, max: 180, noNaN: true }),
});
const languageArb = fc.option(fc.constantFrom('de', 'ja', 'zh-TW', 'xx', 'en-ab-cd'), { nil: undefined });

test('any query has at most the requested number of different results, the same on every thread', (t) => {
  const query = fc.record({
    query: queryArb,
    language: languageArb,
    limit: fc.integer({ min: 1, max: 5 }),
    bias: fc.option(pointArb, { nil: undefined }),
  });
  fc.assert(
    fc.property(query, (asked) => {
      const results = geocoding.geocode(asked, AT_MS);
      t.true(results.length <= asked.limit);
      t.is(new Set(results.map((result) => JSON.stringify(result))).size, results.length);
      t.deepEqual(other.geocode(asked, AT_MS), results);
      for (const { formattedAddress, country, latitude, longitude } of results) {
        t.true(latitude !== null && Math.abs(latitude) <= 90);
        t.true(longitude !== null && Math.abs(longitude) <= 180);
        t.true(formattedAddress?.includes(country ?? ''));
        t.notRegex(String(formattedAddress), /undefined|null|X[a-z]+x/);
      }
    }),
    { numRuns: runs(400) },
  );
});

test('a lower limit gives the first of the results', (t) => {
  fc.assert(
    fc.property(queryArb, (query) => {
      const all = geocoding.geocode({ query, limit: 5 }, AT_MS);
      const [first] = geocoding.geocode({ query, limit: 1 }, AT_MS);
      t.deepEqual(first, all[0]);
    }),
    { numRuns: 200 },
  );
});

test('any point has at most one result, with a country code, the same on every thread', (t) => {
  fc.assert(
    fc.property(pointArb, languageArb, (point, language) => {
      const results = geocoding.reverse({ point, language }, AT_MS);
      t.true(results.length <= 1);
      t.deepEqual(other.reverse({ point, language }, AT_MS), results);
      for (const { countryCode, timeZone, utcOffset } of results) {
        t.regex(String(countryCode), /^[A-Z]{2}$/);
        t.is(timeZone === null, utcOffset === null);
      }
    }),
    { numRuns: runs(1000) },
  );
});

test('a result has the known parts of its place, in the requested language', (t) => {
  const [munich] = geocoding.geocode({ query: 'Muenchen', language: 'fr', limit: 1 }, AT_MS);
  t.like(munich, {
    locality: 'Munich',
    adminDistrict: 'Bavière',
    adminDistrictCode: 'BY',
    country: 'Allemagne',
    countryCode: 'DE',
    type: 'PopulatedPlace',
    confidence: 'High',
    matchCodes: ['Good'],
    timeZone: 'Europe/Berlin',
    utcOffset: '+02:00',
    addressLine: null,
    streetName: null,
    streetNumber: null,
    postalCode: null,
  });
});

for (const [query, timeZone, utcOffset, why] of [
  ['Canada', null, null, 'no zone has 95 % of the people'],
  ['Indonesia', null, null, 'no zone has 95 % of the people'],
  ['Tennessee', null, null, 'no zone of the state has 95 % of the people'],
  ['Antarctica', null, null, 'nobody lives there'],
  ['Malaysia', 'Asia/Kuala_Lumpur', '+08:00', 'two zones have the same offsets, one of them is that of the capital'],
  ['Kazakhstan', 'Asia/Almaty', '+05:00', 'all zones have the same offsets'],
  ['Portugal', 'Europe/Lisbon', '+01:00', 'few people live on the islands of another zone'],
  ['Spain', 'Europe/Madrid', '+02:00', 'few people live on the islands of another zone'],
  ['China', 'Asia/Shanghai', '+08:00', 'few people live in another zone'],
  ['Greenland', 'America/Nuuk', '-01:00', 'most people live far from the middle'],
  ['Moscow', 'Europe/Moscow', '+03:00', 'a town has the zone of its point'],
] as const) {
  test(`the time zone of ${query} is ${timeZone}: ${why}`, (t) => {
    t.like(geocoding.geocode({ query, limit: 1 }, AT_MS)[0], { timeZone, utcOffset });
  });
}

test('a street is not in the data, so its result is the town, marked UpHierarchy', (t) => {
  const [place] = geocoding.geocode({ query: '12 Rue de Rivoli, 75001 Paris', limit: 1 }, AT_MS);
  t.like(place, { locality: 'Paris', countryCode: 'FR', matchCodes: ['UpHierarchy'], streetName: null });
});

test('equally likely places are marked Ambiguous', (t) => {
  const results = geocoding.geocode({ query: 'Springfield', limit: 3 }, AT_MS);
  t.deepEqual(
    results.map(({ matchCodes }) => matchCodes),
    [['Ambiguous'], ['Ambiguous'], ['Ambiguous']],
  );
});

test('a city and the division around it do not make each other ambiguous', (t) => {
  const [city, state] = geocoding.geocode({ query: 'New York', limit: 2 }, AT_MS);
  t.like(city, { locality: 'New York', type: 'PopulatedPlace', matchCodes: ['Good'] });
  t.like(state, { adminDistrictCode: 'NY', type: 'AdminDivision1', matchCodes: ['Good'] });
});

test('a meaningless query has no result', (t) => {
  for (const query of ['asdf qwer zxcv', '!?', '12', '...', '\u200b']) {
    t.deepEqual(geocoding.geocode({ query, limit: 5 }, AT_MS), [], query);
  }
});

test('an airport and a landmark have no type, and their names stand before the address', (t) => {
  const [airport] = geocoding.geocode({ query: 'Heathrow Airport', limit: 1 }, AT_MS);
  t.like(airport, { type: null, locality: 'London', countryCode: 'GB', confidence: 'High' });
  t.true(airport?.formattedAddress?.startsWith('London Heathrow Airport, '));
  const [tower] = geocoding.geocode({ query: 'Eiffel Tower', language: 'de', limit: 1 }, AT_MS);
  t.like(tower, { type: null, locality: null, country: 'Frankreich', addressLine: null });
  const [ocean] = geocoding.geocode({ query: 'Pacific Ocean', limit: 1 }, AT_MS);
  t.like(ocean, { formattedAddress: 'Pacific Ocean', country: null, countryCode: null, adminDistrict: null });
});

test('a word beside a name makes another name: no answer, or an unsure one', (t) => {
  t.deepEqual(geocoding.geocode({ query: 'Blorg Tower', limit: 5 }, AT_MS), []);
  t.like(geocoding.geocode({ query: 'Chicago Bulls', limit: 1 }, AT_MS)[0], { locality: 'Chicago', confidence: 'Low' });
});

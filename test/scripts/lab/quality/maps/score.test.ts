import test from 'ava';
import { scoreForward, scoreReverse } from '../../../../../scripts/lab/quality/maps/score.ts';
import type { ZonedAddress } from '../../../../../workers/geocoding/address/address.ts';
import { fakeFinder, SPRINGFIELD } from './fake-finder.ts';

const POINT: [number, number] = [39.8, -89.65];
const NEAR = { near: POINT, withinKm: 10 };

const forwardFaults = (expect: object, ...results: ZonedAddress[]) =>
  scoreForward({ query: 'springfield', expect: { ...NEAR, ...expect } }, fakeFinder(...results)).faults;
const reverseFaults = (expect: object, ...results: ZonedAddress[]) =>
  scoreReverse({ point: POINT, expect }, fakeFinder(...results)).faults;

test('a result that matches all expectations has no faults', (t) => {
  const expect = {
    countryCode: ['CA', 'US'],
    adminDistrictCode: 'IL',
    locality: 'Springfield',
    type: 'PopulatedPlace',
    matchCodes: ['Good'],
    timeZone: 'America/Chicago',
  };
  t.deepEqual(forwardFaults(expect, SPRINGFIELD), []);
});

test('a claim is right within 25 km and in the country and the division, however the place is spelled', (t) => {
  const isRight = (expect: object) =>
    scoreForward({ query: 'springfield', expect: { ...NEAR, ...expect } }, fakeFinder(SPRINGFIELD)).claim?.isRight;
  t.true(isRight({ near: [39.8, -89.4], locality: 'Other' }));
  t.true(isRight({ near: [40.3, -89.65], withinKm: 60 }));
  t.false(isRight({ near: [40.1, -89.65] }));
  t.false(isRight({ countryCode: 'CA' }));
  t.false(isRight({ adminDistrictCode: 'MO' }));
});

test('each field that differs is a fault', (t) => {
  const expect = {
    near: [39.8, -88],
    countryCode: 'CA',
    adminDistrictCode: 'ON',
    locality: ['Ottawa', 'Toronto'],
    type: 'Address',
    matchCodes: ['UpHierarchy'],
    timeZone: 'America/Toronto',
  };
  t.deepEqual(forwardFaults(expect, SPRINGFIELD), [
    '141 km away',
    'countryCode US, not CA',
    'adminDistrictCode IL, not ON',
    'locality Springfield, not Ottawa or Toronto',
    'timeZone America/Chicago, not America/Toronto',
    'type PopulatedPlace, not Address',
    'matchCodes lack UpHierarchy',
  ]);
});

test('only the first result counts', (t) => {
  const elsewhere = { ...SPRINGFIELD, adminDistrictCode: 'MO' };
  t.deepEqual(forwardFaults({ adminDistrictCode: 'IL' }, SPRINGFIELD, elsewhere), []);
  t.is(forwardFaults({ adminDistrictCode: 'IL' }, elsewhere, SPRINGFIELD).length, 1);
});

test('a null and an empty answer are faults if a value is expected', (t) => {
  t.deepEqual(forwardFaults({ locality: 'Springfield' }, { ...SPRINGFIELD, locality: null }), [
    'locality null, not Springfield',
  ]);
  t.deepEqual(forwardFaults({}, { ...SPRINGFIELD, latitude: null }), ['no coordinates']);
  t.deepEqual(forwardFaults({}), ['nothing was found']);
});

test('localities are compared without case, marks and punctuation', (t) => {
  for (const [wanted, found] of [
    ['Łódź', 'LODZ'],
    ['Malé', 'Male'],
    ["Xi'an", 'Xi’an'],
    ['Cluj-Napoca', 'Cluj Napoca'],
    ['İzmir', 'Izmir'],
  ] as const) {
    t.deepEqual(forwardFaults({ locality: wanted }, { ...SPRINGFIELD, locality: found }), []);
  }
});

test('the bias and the language of a case are passed on', (t) => {
  const asked: unknown[] = [];
  const finder = {
    ...fakeFinder(),
    geocode: (query: unknown) => {
      asked.push(query);
      return [SPRINGFIELD];
    },
  };
  scoreForward({ query: 'x', language: 'de', bias: [1, 2], expect: NEAR }, finder);
  t.deepEqual(asked, [{ query: 'x', language: 'de', limit: 5, bias: { latitude: 1, longitude: 2 } }]);
});

test('offsets are compared at an instant in January and one in July', (t) => {
  t.deepEqual(reverseFaults({ offsetJanuary: '-06:00', offsetJuly: '-05:00' }, SPRINGFIELD), []);
  t.deepEqual(reverseFaults({ offsetJanuary: '-06:00', offsetJuly: '-06:00' }, SPRINGFIELD), [
    'offset in July -05:00, not -06:00',
  ]);
});

test('an empty answer is right at sea, wrong in populated places, and optional in unpopulated places', (t) => {
  t.deepEqual(reverseFaults({ count: 0 }), []);
  t.deepEqual(reverseFaults({ count: 0 }, SPRINGFIELD), ['something was found']);
  t.deepEqual(reverseFaults({ countryCode: 'US' }), ['nothing was found']);
  t.deepEqual(reverseFaults({ countryCode: 'US', mayBeEmpty: true }), []);
  t.is(reverseFaults({ countryCode: 'AQ', mayBeEmpty: true }, SPRINGFIELD).length, 1);
});

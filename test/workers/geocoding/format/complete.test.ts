import test from 'ava';
import { complete } from '../../../../workers/geocoding/format/complete.ts';
import { openOwnGazetteer } from '../open-gazetteer.ts';

const AT_MS = Date.parse('2026-01-15T12:00:00Z');
const BARE = {
  latitude: 48.137,
  longitude: 11.575,
  formattedAddress: null,
  addressLine: null,
  streetNumber: '8',
  streetName: 'Marienplatz',
  locality: 'München',
  postalCode: '80331',
  adminDistrict: 'Bayern',
  adminDistrictCode: null,
  adminDistrict2: null,
  country: null,
  countryCode: null,
  type: 'Address',
  confidence: 'High',
  matchCodes: ['Good'],
} as const;

test('parts that follow from an address are added', async (t) => {
  const gazetteer = await openOwnGazetteer();
  const germany = Array.from({ length: gazetteer.areas.count }, (_, area) => area).find(
    (area) => gazetteer.areas.codes.at(area) === 'DE',
  );
  const whole = complete(gazetteer, () => germany, BARE, { language: 'de', atMs: AT_MS });
  t.like(whole, {
    addressLine: 'Marienplatz 8',
    formattedAddress: 'Marienplatz 8, 80331 München, Deutschland',
    adminDistrictCode: 'BY',
    country: 'Deutschland',
    countryCode: 'DE',
    timeZone: 'Europe/Berlin',
    utcOffset: '+01:00',
  });
});

test('other parts stay null, and known parts stay unchanged', async (t) => {
  const gazetteer = await openOwnGazetteer();
  const said = { ...BARE, latitude: null, longitude: null, addressLine: '8, Marienplatz', adminDistrict: 'Nowhere' };
  const whole = complete(gazetteer, () => undefined, said, { language: undefined, atMs: AT_MS });
  t.like(whole, {
    addressLine: '8, Marienplatz',
    adminDistrictCode: null,
    country: null,
    countryCode: null,
    timeZone: null,
    utcOffset: null,
  });
});

import test from 'ava';
import { complete } from '../../../../workers/geocoding/format/complete.ts';
import { createGeocoding } from '../../../../workers/geocoding/geocoding.ts';
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
  const whole = complete(gazetteer, { country: () => germany, division: () => undefined }, BARE, {
    language: 'de',
    atMs: AT_MS,
  });
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
  const whole = complete(gazetteer, { country: () => undefined, division: () => undefined }, said, {
    language: undefined,
    atMs: AT_MS,
  });
  t.like(whole, {
    addressLine: '8, Marienplatz',
    adminDistrictCode: null,
    country: null,
    countryCode: null,
    timeZone: null,
    utcOffset: null,
  });
});

test('a division that is not known is that around the point, if no border is near', async (t) => {
  const gazetteer = await openOwnGazetteer();
  const geocoding = createGeocoding(gazetteer);
  const munich = { ...BARE, adminDistrict: null };
  const [inside] = geocoding.complete([munich], 'de', AT_MS);
  t.like(inside, { adminDistrict: 'Bayern', adminDistrictCode: 'BY' });
  // Neu-Ulm and Ulm are on two sides of the Danube, which is the border of Bavaria.
  const [near] = geocoding.complete([{ ...munich, latitude: 48.397, longitude: 9.998 }], 'de', AT_MS);
  t.like(near, { adminDistrict: null, adminDistrictCode: null, countryCode: 'DE' });
});

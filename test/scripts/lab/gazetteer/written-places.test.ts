import test from 'ava';
import { readDistricts } from '../../../../scripts/lab/gazetteer/sources/districts.ts';
import type { GeoNamesPlace } from '../../../../scripts/lab/gazetteer/sources/place.ts';
import { readTowns } from '../../../../scripts/lab/gazetteer/sources/towns.ts';
import { completePlaces, type WrittenPlace } from '../../../../scripts/lab/gazetteer/sources/written-places.ts';

const GIESSEN: GeoNamesPlace = {
  id: 2920512,
  name: 'Giessen',
  alternates: [],
  latitude: 50.58727,
  longitude: 8.67554,
  feature: 'PPLA2',
  countryCode: 'DE',
  admin1: '05',
  admin2: '065',
  population: 84_000,
  timeZone: 'Europe/Berlin',
};
const POHLHEIM: WrittenPlace = {
  name: 'Pohlheim',
  alternates: [],
  countryCode: 'DE',
  admin1: '05',
  latitude: 50.53,
  longitude: 8.7,
  population: 18_500,
};

test('a written place has the time zone and the divisions of the places around it', (t) => {
  const linden = { ...GIESSEN, id: 1, latitude: 50.53 };
  const far = { ...GIESSEN, id: 2, latitude: 52, admin2: '999', timeZone: 'Europe/Vienna' };
  const lich = { ...GIESSEN, id: 3, longitude: 8.82 };
  const options = { feature: 'PPL', firstId: 900 };
  t.deepEqual(completePlaces([POHLHEIM], [far, GIESSEN, linden, lich], options), [
    { ...POHLHEIM, id: 900, feature: 'PPL', admin1: '05', admin2: '065', timeZone: 'Europe/Berlin' },
  ]);
});

test('the second-level division is left out near another one', (t) => {
  const wetzlar = { ...GIESSEN, id: 1, longitude: 8.5, admin2: '066' };
  const [place] = completePlaces([POHLHEIM], [GIESSEN, wetzlar], { feature: 'PPL', firstId: 900 });
  t.like(place, { admin1: '05', admin2: '' });
});

test('places of another country or division are not around a written place', (t) => {
  const options = { feature: 'PPL', firstId: 900 };
  for (const other of [{ countryCode: 'AT' }, { admin1: '08' }]) {
    const error = t.throws(() => completePlaces([POHLHEIM], [{ ...GIESSEN, ...other }], options));
    t.regex(String(error?.message), /around Pohlheim/);
  }
});

test('every row of the tables is a place, once', (t) => {
  const rows: readonly WrittenPlace[] = [...readTowns(), ...readDistricts()];
  const keys = rows.map(
    ({ name, countryCode, latitude, longitude }) => `${name} ${countryCode} ${latitude} ${longitude}`,
  );
  t.is(new Set(keys).size, rows.length);
  for (const { name, alternates, countryCode, latitude, longitude, population } of rows) {
    t.true(name !== '' && !name.includes('|'), name);
    t.regex(countryCode, /^[A-Z]{2}$/, name);
    t.true(Math.abs(latitude) < 72 && Math.abs(longitude) <= 180 && latitude !== 0, name);
    t.true(Number.isInteger(population) && population >= 0, name);
    t.true(new Set([name, ...alternates]).size === alternates.length + 1 && !alternates.includes(''), name);
  }
});

test('every town has a first-level division and a population', (t) => {
  for (const { name, admin1, population } of readTowns()) {
    t.regex(admin1, /^[0-9A-Z]{2,3}$/, name);
    t.true(population > 1000 && population < 100_000, name);
  }
});

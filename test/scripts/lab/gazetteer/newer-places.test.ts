import test from 'ava';
import { addNewerPlaces, type NewerPlace } from '../../../../scripts/lab/gazetteer/sources/newer-places.ts';
import type { GeoNamesPlace } from '../../../../scripts/lab/gazetteer/sources/place.ts';
import { createPlaceIndex } from '../../../../scripts/lab/gazetteer/sources/place-index.ts';

const place = (name: string, latitude: number, longitude: number, population = 1000): GeoNamesPlace => ({
  id: Math.round(latitude * 1e4),
  name,
  alternates: [],
  latitude,
  longitude,
  feature: 'PPL',
  countryCode: 'FJ',
  admin1: '01',
  admin2: '',
  population,
  timeZone: 'Pacific/Fiji',
});
const newer = (name: string, lat: number, lng: number, country = 'FJ'): NewerPlace => ({
  name,
  lat: String(lat),
  lng: String(lng),
  country,
  admin1: '01',
  admin2: '',
});

const CITY = place('Suva', -18.14, 178.44, 90_000);
const OLDER = [CITY, place('Old Name', -17.5, 178.2)];

test('a place that the older list lacks is added, with the time zone of its neighbor', (t) => {
  const [added] = addNewerPlaces(OLDER, [newer('Village', -17.8, 178.0)]).slice(OLDER.length);
  t.like(added, { name: 'Village', feature: 'PPL', population: 0, timeZone: 'Pacific/Fiji' });
});

test('a place near a city is its section', (t) => {
  const [added] = addNewerPlaces(OLDER, [newer('Toorak', -18.15, 178.43)]).slice(OLDER.length);
  t.like(added, { name: 'Toorak', feature: 'PPLX' });
});

test('a known place is not added again, and a renamed one keeps both names', (t) => {
  const places = addNewerPlaces(OLDER, [
    newer('Suva', -18.14, 178.44),
    newer('SUVA', -18.2, 178.45),
    newer('New Name', -17.5, 178.2),
  ]);
  t.deepEqual(
    places.map(({ name, alternates }) => [name, alternates]),
    [
      ['Suva', []],
      ['Old Name', ['New Name']],
    ],
  );
});

test('a place of a country without neighbors is left out, because its time zone is not known', (t) => {
  t.is(addNewerPlaces(OLDER, [newer('Village', -17.8, 178.0, 'TO')]).length, OLDER.length);
});

test('the nearest place is found beyond the date line, in the far north, and only in its country and reach', (t) => {
  const east = place('East', -16.8, 179.99);
  const north = place('North', 78.2, 15.6);
  const index = createPlaceIndex([east, north]);
  t.is(index.nearest({ latitude: -16.8, longitude: -179.99 }, 100, 'FJ'), east);
  t.is(index.nearest({ latitude: 78.2, longitude: 19.6 }, 100, 'FJ'), north);
  t.is(index.nearest({ latitude: -16.8, longitude: -179.99 }, 100, 'TO'), undefined);
  t.is(index.nearest({ latitude: 0, longitude: 0 }, 100, 'FJ'), undefined);
});

import test from 'ava';
import { addNewerPlaces as addNewer, type NewerPlace } from '../../../../scripts/lab/gazetteer/sources/newer-places.ts';
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

const addNewerPlaces = (places: readonly GeoNamesPlace[], list: readonly NewerPlace[]) =>
  addNewer(places, list, { english: new Map([['-175000', 'Old Name']]), kept: new Map([['-176000', 'Kept']]) });

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

test('a known place is not added again', (t) => {
  const places = addNewerPlaces(OLDER, [newer('Suva', -18.14, 178.44), newer('SUVA', -18.2, 178.45)]);
  t.deepEqual(places, OLDER);
});

test('a place that is gone under its name is renamed, at its point or as another of its names', (t) => {
  const moved = { ...place('Barrow', -17.6, 178.1), alternates: ['Utqiagvik'] };
  const names = (older: GeoNamesPlace, ...list: readonly NewerPlace[]) => {
    const [first] = addNewerPlaces([older, CITY], list);
    return [first?.name, first?.formerName, first?.alternates];
  };
  const old = place('Old Name', -17.5, 178.2);
  t.deepEqual(names(old, newer('New Name', -17.5, 178.2)), ['New Name', 'Old Name', []]);
  t.deepEqual(names({ ...moved, id: 1 }, newer('Utqiaġvik', -17.61, 178.11)), ['Utqiaġvik', 'Barrow', ['Utqiagvik']]);
  const unlike: readonly (readonly [string, GeoNamesPlace, string])[] = [
    ['the newer list has the old name too', old, 'Old Name'],
    ['a longer form of the name', place('New', -17.5, 178.2), 'New'],
    ['the English name', place('Altname', -17.5, 178.2), 'New Name'],
    ['a name that is kept', place('Kept', -17.6, 178.2), 'Kept'],
  ];
  for (const [reason, older, also] of unlike) {
    const english = reason === 'the English name' ? 'Old Name' : 'New Name';
    const point = [older.latitude, older.longitude] as const;
    const list = [newer(english, ...point), ...(also === 'Old Name' ? [newer(also, ...point)] : [])];
    t.is(names(older, ...list)[0], older.name, reason);
  }
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

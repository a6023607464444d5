import test from 'ava';
import type { GeoNamesPlace } from '../../../../scripts/lab/gazetteer/sources/place.ts';
import { withZonesOfPoints } from '../../../../scripts/lab/gazetteer/sources/zones.ts';

const place = (name: string, at: readonly [number, number], countryCode: string, timeZone: string): GeoNamesPlace => ({
  id: Math.round(at[0] * 1e4),
  name,
  alternates: [],
  latitude: at[0],
  longitude: at[1],
  feature: 'PPL',
  countryCode,
  admin1: '',
  admin2: '',
  population: 1000,
  timeZone,
});
const LONDON = place('London', [51.51, -0.13], 'GB', 'Europe/London');
const LIMASSOL = place('Limassol', [34.68, 33.04], 'CY', 'Asia/Nicosia');

const zonesOf = (...places: readonly GeoNamesPlace[]) =>
  withZonesOfPoints(places).map(({ name, timeZone }) => `${name}: ${timeZone}`);

test('a place whose own zone is far away has the zone of its point', (t) => {
  const bases = [
    place('Akrotiri', [34.6, 32.96], 'GB', 'Europe/London'),
    place('Dhekelia', [34.98, 33.73], 'GB', 'Europe/London'),
  ];
  t.deepEqual(zonesOf(LONDON, LIMASSOL, ...bases).slice(2), ['Akrotiri: Asia/Nicosia', 'Dhekelia: Asia/Nicosia']);
});

test('a place just beyond a border has the zone of its own country', (t) => {
  const near = place('Canoas', [8.53, -82.84], 'CR', 'America/Costa_Rica');
  const own = place('Ciudad Neily', [8.65, -82.94], 'CR', 'America/Costa_Rica');
  const other = place('David', [8.43, -82.43], 'PA', 'America/Panama');
  t.is(zonesOf(near, own, other)[0], 'Canoas: America/Costa_Rica');
});

test('a place has the newer zone of its point', (t) => {
  t.deepEqual(zonesOf(place('Coyhaique', [-45.57, -72.07], 'CL', 'America/Santiago')), [
    'Coyhaique: America/Coyhaique',
  ]);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { importPlaces } from '../../../scripts/cli/tollhouse/places/import-places.ts';
import { openPlacesFolder, type PlacesFolder } from '../../../scripts/cli/tollhouse/places/places-folder.ts';
import { readGazetteer } from '../../../services/maps/geocoder/gazetteer-files.ts';
import { createGazetteerGeocoder, type GeocodingPool } from '../../../services/maps/geocoder/gazetteer-geocoder.ts';
import type { Geocoder } from '../../../services/maps/geocoder/geocoder.ts';
import { createGeocodingPool } from '../../../services/maps/geocoder/geocoding-pool.ts';
import { createPlacesGeocoder } from '../../../services/maps/geocoder/places-geocoder.ts';
import { CSV } from '../../scripts/cli/tollhouse/places/addresses.ts';

const root = mkdtempSync(join(tmpdir(), 'tollhouse own places-'));
let folder: PlacesFolder;
let pool: GeocodingPool;
let geocoder: Geocoder;
let clockMs = Date.parse('2026-07-01T12:00:00Z');

async function load(content: string): Promise<void> {
  const file = join(root, 'own.csv');
  writeFileSync(file, content);
  await importPlaces(folder, 'own', [file], () => undefined);
}

test.before(async () => {
  folder = openPlacesFolder(join(root, 'sets'));
  await load(CSV);
  pool = createGeocodingPool({ threads: 1, workerData: await readGazetteer() });
  geocoder = createPlacesGeocoder(pool, join(root, 'sets'), createGazetteerGeocoder(pool));
});
test.after.always(async () => {
  await pool?.close();
  rmSync(root, { recursive: true, force: true });
});

const context = () => ({ signal: new AbortController().signal, deadlineMs: Number.POSITIVE_INFINITY, atMs: clockMs });
const ask = (query: string, language?: string) =>
  geocoder.geocode({ query, language, limit: 3, bias: undefined }, context());

test.serial('an own address has every field that the data and its place give', async (t) => {
  const [found] = await ask('12 av mal foch 21000 dijon', 'fr');
  t.deepEqual(found, {
    latitude: 47.323,
    longitude: 5.0405,
    formattedAddress: '12 Avenue du Maréchal Foch, 21000 Dijon, France',
    addressLine: '12 Avenue du Maréchal Foch',
    streetNumber: '12',
    streetName: 'Avenue du Maréchal Foch',
    locality: 'Dijon',
    postalCode: '21000',
    adminDistrict: 'Bourgogne-Franche-Comté',
    adminDistrictCode: 'BFC',
    adminDistrict2: null,
    country: 'France',
    countryCode: 'FR',
    type: 'Address',
    confidence: 'High',
    matchCodes: ['Good'],
    timeZone: 'Europe/Paris',
    utcOffset: '+02:00',
  });
});

test.serial('what is not quite the address says so', async (t) => {
  t.like((await ask('12 Avenue du Marechl Foch Dijon'))[0], {
    confidence: 'Medium',
    matchCodes: ['Good'],
    type: 'Address',
  });
  const interpolated = {
    streetNumber: '14',
    confidence: 'Medium',
    matchCodes: ['UpHierarchy'],
    type: 'RoadBlock',
  } as const;
  t.like((await ask('14 Avenue du Maréchal Foch Dijon'))[0], interpolated);
  const street = { streetNumber: null, confidence: 'Medium', matchCodes: ['UpHierarchy'], type: 'RoadBlock' } as const;
  t.like((await ask('99 Avenue du Maréchal Foch Dijon'))[0], street);
  t.like((await ask('Avenue du Maréchal Foch, Dijon'))[0], {
    streetNumber: null,
    confidence: 'High',
    type: 'RoadBlock',
  });
});

test.serial('of equal streets in two towns, none is sure', async (t) => {
  const found = await ask('3 rue des écoles');
  t.deepEqual(new Set(found.slice(-2).map(({ locality }) => locality)), new Set(['Dijon', 'Beaune']));
  t.true(found.every(({ confidence }) => confidence === 'Low'));
});

test.serial('towns, and addresses elsewhere, come from the gazetteer', async (t) => {
  t.like((await ask('Dijon'))[0], { type: 'PopulatedPlace', locality: 'Dijon', confidence: 'High' });
  t.like((await ask('10 Downing Street, London'))[0], { locality: 'London', matchCodes: ['UpHierarchy'] });
});

test.serial('a point at an own address has it, and another the place of the gazetteer', async (t) => {
  const at = (latitude: number, longitude: number) =>
    geocoder.reverse({ point: { latitude, longitude }, language: undefined }, context());
  t.like((await at(47.323, 5.0405))[0], { streetNumber: '12', type: 'Address', confidence: 'High', countryCode: 'FR' });
  t.like((await at(47.3235, 5.0411))[0], { type: 'Address', confidence: 'Medium' });
  t.like((await at(48.8566, 2.3522))[0], { locality: 'Paris', streetName: null });
});

test.serial('a set that is replaced or removed is served as it is now', async (t) => {
  await load(`LON,LAT,NUMBER,STREET,CITY\n5.1,47.3,7,Rue Neuve,Dijon\n`);
  clockMs += 1000;
  t.like((await ask('7 rue neuve dijon'))[0], { streetNumber: '7', confidence: 'High' });
  t.false((await ask('12 av mal foch dijon')).some(({ streetName }) => streetName !== null));
  await folder.remove('own');
  clockMs += 1000;
  t.false((await ask('7 rue neuve dijon')).some(({ streetName }) => streetName !== null));
});

import { copyFileSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { pino } from 'pino';
import { importPlaces } from '../../../scripts/cli/tollhouse/places/import-places.ts';
import { openPlacesFolder } from '../../../scripts/cli/tollhouse/places/places-folder.ts';
import { readGazetteer } from '../../../services/maps/geocoder/gazetteer-files.ts';
import { createGazetteerGeocoder } from '../../../services/maps/geocoder/gazetteer-geocoder.ts';
import { createGeocodingPool } from '../../../services/maps/geocoder/geocoding-pool.ts';
import { createPlacesGeocoder } from '../../../services/maps/geocoder/places-geocoder.ts';
import { CSV } from '../../scripts/cli/tollhouse/places/addresses.ts';
import { MADE_MAP } from '../../scripts/cli/tollhouse/places/made-map.ts';
import { writePbf } from '../../scripts/cli/tollhouse/places/write-pbf.ts';

const root = mkdtempSync(join(tmpdir(), 'tollhouse own places-'));
const logged: string[] = [];
let clockMs = Date.parse('2026-07-01T12:00:00Z');

async function load(content: string | Buffer, ending = 'csv'): Promise<void> {
  const file = join(root, `own.${ending}`);
  writeFileSync(file, content);
  await importPlaces(folder, 'own', [file], () => undefined);
}

const folder = openPlacesFolder(join(root, 'sets'));
await load(CSV);
const pool = createGeocodingPool({ threads: 1, workerData: await readGazetteer() });
const geocoder = createPlacesGeocoder({
  pool,
  folder: join(root, 'sets'),
  next: createGazetteerGeocoder(pool),
  logger: pino({ level: 'error' }, { write: (line) => logged.push(line) }),
});
test.after.always(async () => {
  await pool.close();
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

test.serial('a point of interest has its name before its address, and is unsure without its town', async (t) => {
  await load(writePbf(MADE_MAP), 'osm.pbf');
  clockMs += 1000;
  const [school] = await ask('Seeschule, Seestadt', 'de');
  t.like(school, {
    formattedAddress: 'Seeschule, Lindenallee 10, 35999 Seestadt, Deutschland',
    streetName: 'Lindenallee',
    streetNumber: '10',
    locality: 'Seestadt',
    countryCode: 'DE',
    type: null,
    confidence: 'High',
    matchCodes: ['Good'],
  });
  t.like((await ask('Golden Pike, Seestadt', 'de'))[0], {
    formattedAddress: 'Zum Goldenen Hecht, Lindenallee, Seestadt, Deutschland',
    confidence: 'High',
  });
  t.like((await ask('Golden Pike'))[0], { type: null, confidence: 'Low' });
  t.like((await ask('Hafenviertel Seestadt'))[0], { type: 'Neighborhood', locality: 'Seestadt', confidence: 'High' });
  // A town of that name may be elsewhere too.
  t.like((await ask('Laketown')).at(-1), { type: 'PopulatedPlace', locality: 'Seestadt', confidence: 'Low' });
});

test.serial('a street without a word for a street is sure if the query has its town', async (t) => {
  for (const query of ['Am Waldrand, Waldheim', 'Lindenallee Seestadt']) {
    t.like((await ask(query))[0], { type: 'RoadBlock', confidence: 'High', countryCode: 'DE' }, query);
  }
  t.is((await ask('Am Waldrand')).at(-1)?.confidence, 'Low');
});

test.serial('a street address is found before what has a name there', async (t) => {
  t.like((await ask('Lindenallee 10, Seestadt'))[0], { type: 'Address', streetNumber: '10', confidence: 'High' });
  t.false((await ask('Lindenallee 10, Seestadt')).some(({ type }) => type === null));
});

test.serial('a point at a street without houses has the street', async (t) => {
  const [found] = await geocoder.reverse({ point: { latitude: 50.542, longitude: 8.7 }, language: 'de' }, context());
  t.like(found, { type: 'RoadBlock', streetName: 'Am Waldrand', streetNumber: null, locality: 'Waldheim' });
});

test.serial('files that are not sets or are damaged are logged once, and the others are served', async (t) => {
  await load(CSV);
  const sets = join(root, 'sets');
  const own = folder.fileOf('own');
  writeFileSync(join(sets, 'empty.places'), '');
  writeFileSync(join(sets, 'text.places'), 'not a database, but longer than a header of one\n'.repeat(10));
  copyFileSync(own, join(sets, 'cut.places'));
  truncateSync(join(sets, 'cut.places'), statSync(own).size - 100);
  copyFileSync(own, join(sets, 'damaged.places'));
  // The pages after the first, which has the schema.
  const damaged = openSync(join(sets, 'damaged.places'), 'r+');
  writeSync(damaged, Buffer.alloc(statSync(own).size - 8192, 0xff), 0, undefined, 8192);
  clockMs += 1000;
  for (let count = 0; count < 3; count++) {
    t.like((await ask('12 av mal foch dijon'))[0], { streetNumber: '12', confidence: 'High' });
    t.like((await ask('Paris'))[0], { locality: 'Paris' });
    const [near] = await geocoder.reverse(
      { point: { latitude: 47.323, longitude: 5.0405 }, language: undefined },
      context(),
    );
    t.like(near, { streetNumber: '12' });
    clockMs += 1000;
  }
  const files = logged.map((line) => /(\w+)\.places/.exec(line)?.[1]);
  t.deepEqual(files.toSorted(), ['cut', 'damaged', 'empty', 'text']);
});

test.serial('a file that is replaced by a set is served', async (t) => {
  copyFileSync(folder.fileOf('own'), join(root, 'sets', 'text.places'));
  await folder.remove('own');
  clockMs += 1000;
  t.like((await ask('12 av mal foch dijon'))[0], { streetNumber: '12', confidence: 'High' });
});

import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { importPlaces } from '../../../../../scripts/cli/tollhouse/places/import-places.ts';
import { ImportError } from '../../../../../scripts/cli/tollhouse/places/sources/address-row.ts';
import { defined } from '../../../../../workers/exact/defined.ts';
import { openAddressSet } from '../../../../../workers/geocoding/addresses/address-set.ts';
import { findAddresses } from '../../../../../workers/geocoding/addresses/find-address.ts';
import { nearestAddress } from '../../../../../workers/geocoding/addresses/nearest-address.ts';
import { CSV } from './addresses.ts';
import { createImportCases, first } from './import-case.ts';

const { prepare, imported, close } = createImportCases();
test.after.always(close);

test('an address is found in any order, abbreviated, with postcode or town, and with an error', async (t) => {
  const set = await imported(CSV);
  const same = [
    '12 Avenue du Maréchal Foch, 21000 Dijon',
    '12 av mal foch dijon',
    'Dijon, avenue du marechal foch 12',
    '21000 12 Av. Maréchal-Foch',
    '12 Avenue du Marechl Foch Dijon',
    '12 Avneue du Maréchal Foch Dijon',
    '12 Avenue duMaréchal Foch Dijon',
    '12 Avenue du Maréchal Foch Dijom',
  ];
  for (const query of same) t.is(first(set, query), '12 Avenue du Maréchal Foch, Dijon', query);
  t.is(first(set, '8 rue du 8 mai 1945 Beaune'), '8 Rue du 8 Mai 1945, Beaune');
  t.is(first(set, 'Rue du 8 mai 1945, Beaune'), 'Rue du 8 Mai 1945, Beaune');
  t.is(first(set, '3 ter rue des Écoles Dijon'), '3ter Rue des Écoles, Dijon');
  t.is(first(set, '3 rue des ecoles Beaune'), '3 Rue des Écoles, Beaune');
});

test('what no address explains is not found', async (t) => {
  const set = await imported(CSV);
  for (const query of [
    '12 Rue Inconnue Dijon',
    'Eiffel Tower',
    '12',
    '',
    'Dijon',
    '!?',
    '12 Avenue Foch Paris 75016',
  ]) {
    t.is(first(set, query), undefined, query);
  }
});

test('a house that is not in the data is placed between its neighbors, or only its street is found', async (t) => {
  const set = await imported(CSV);
  const [between] = findAddresses(set, '14 Avenue du Maréchal Foch Dijon');
  t.like(between, { isInterpolated: true, house: { number: 14, latitudeE6: 47_324_000 } });
  t.like(findAddresses(set, '99 Avenue du Maréchal Foch Dijon')[0], { house: undefined, isHouseWanted: true });
});

test('the nearest address of a point is found, and none far from all', async (t) => {
  const set = await imported(CSV);
  const near = nearestAddress(set, { latitude: 47.3230005, longitude: 5.0405 });
  t.like(near, { house: { number: 12 }, street: { name: 'Avenue du Maréchal Foch' } });
  t.true(defined(near).distanceKm < 0.001);
  t.is(nearestAddress(set, { latitude: 47.33, longitude: 5.0405 }), undefined);
  // At the corner of the map.
  t.is(nearestAddress(set, { latitude: -90, longitude: -180 }), undefined);
  t.is(nearestAddress(set, { latitude: 90, longitude: 180 }), undefined);
});

test('GeoJSON has the same addresses: a feature on each line, or a collection of such lines', async (t) => {
  const feature = JSON.stringify({
    type: 'Feature',
    geometry: { type: 'Point', coordinates: [5.0405, 47.323] },
    properties: { number: 12, street: 'Avenue du Maréchal Foch', city: 'Dijon', postcode: '21000' },
  });
  const collection = `{"type":"FeatureCollection","features":[\n${feature},\n${feature}\n]}\n`;
  for (const content of [feature, `\u001e${feature}\n`, collection]) {
    t.is(
      first(await imported(content, 'geojson'), '12 av mal foch dijon'),
      '12 Avenue du Maréchal Foch, Dijon',
      content,
    );
  }
});

test('quotes, Windows line ends, other columns and a byte order mark are read', async (t) => {
  const set = await imported('\uFEFFid,STREET,"lat",lon,CITY,NUMBER\r\n1,"Rue ""A"", du Lac",47.3,5.04,Dijon,3\r\n');
  t.is(first(set, '3 rue a du lac dijon'), '3 Rue "A", du Lac, Dijon');
});

const HEADER = 'LON,LAT,NUMBER,STREET,CITY';
const GOOD = '5.04,47.3,1,Rue du Lac,Dijon';
const faults: readonly (readonly [what: string, content: string | Buffer, message: RegExp, ending?: string])[] = [
  ['an empty file', '', /:1: the file is empty/],
  ['a file with a header only', `${HEADER}\n`, /:1: there are no addresses/],
  ['other columns', 'a,b,c\n1,2,3\n', /:1: the columns LON, LAT, STREET are missing; the header is a,b,c/],
  ['an open quote', `${HEADER}\n5,47,1,"Rue du Lac,Dijon\n`, /:2: a quote is not closed/],
  [
    'exchanged coordinates',
    `${HEADER}\n47.3,105.04,1,Rue du Lac,Dijon\n`,
    /:2: the latitude 105.04 is not between -90 and 90; are latitude and longitude exchanged/,
  ],
  ['the point 0, 0', `${HEADER}\n0,0,1,Rue du Lac,Dijon\n`, /:2: the point is 0, 0/],
  ['a coordinate that is not a number', `${HEADER}\nx,47,1,Rue du Lac,Dijon\n`, /:2: the coordinates are not numbers/],
  [
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from(`${HEADER}\n`), Buffer.from([0xff, 0xfe, 0x0a])]),
    /the file is not UTF-8/,
  ],
  ['an endless line', `${HEADER}\n${'x'.repeat(3_000_000)}`, /:2: the line is longer than 1048576 characters/],
  ['JSON that is cut', '{"type":"Feature","geom', /:1: the line is not JSON/, 'geojson'],
  ['JSON of something else', '{"a":1}', /:1: the line is not a GeoJSON feature with a point/, 'geojson'],
  ['an unknown format', 'x', /the format is not known; files end in/, 'xlsx'],
];
for (const [what, content, message, ending] of faults) {
  test(`${what} is refused with the file and the line, and the old set stays`, async (t) => {
    const { at, folder, load } = prepare(content, ending);
    const before = prepare(`${HEADER}\n${GOOD}\n`);
    await importPlaces(folder, 'own', [before.file], () => undefined);
    await t.throwsAsync(load, { instanceOf: ImportError, message });
    t.is(first(openAddressSet(folder.fileOf('own')), '1 rue du lac dijon'), '1 Rue du Lac, Dijon');
    t.deepEqual(readdirSync(at), ['own.places']);
  });
}

test('rows that cannot be used are left out and counted, if most can', async (t) => {
  const other = '5.04,47.301,2,Rue du Lac,Dijon';
  const { load } = prepare(`${HEADER}\n${GOOD}\n${other}\n0,0,2,Rue du Lac,Dijon\n5,47,3,,\n${other}\n`);
  const report = await load();
  t.like(report, { addresses: 2, streets: 1, refused: 2, repeated: 1 });
  t.regex(defined(report.reasons[1]), /:5: the row has neither a street nor a town$/);
});

test('what a killed import left is removed by the next, and the same file gives the same set', async (t) => {
  const { at, folder, load } = prepare(CSV);
  await load();
  const stale = join(at, 'own.0b0e7c53-3f6c-4d9f-9a63-5d1a0f2b8f11.importing');
  writeFileSync(stale, 'half');
  await load();
  t.false(existsSync(stale));
  t.deepEqual(await folder.names(), ['own']);
  t.true(await folder.remove('own'));
  t.false(await folder.remove('own'));
  t.deepEqual(await folder.names(), []);
});

test('a file that is not a set of this version is refused', async (t) => {
  const { at, folder } = prepare(CSV);
  await folder.names();
  writeFileSync(join(at, 'own.places'), '');
  t.throws(() => openAddressSet(folder.fileOf('own')), {
    message: /version 0 of the address format, not 3; import it again/,
  });
});

const postcode = (code: string, town: string, latitude: number) =>
  ['DE', code, town, 'Berlin', 'BE', '', '00', 'Berlin, Stadt', '11000', latitude, '13.38', '6'].join('\t');

test('postcodes and towns of GeoNames are found by the code, with or without the town', async (t) => {
  const set = await imported(`${postcode('10115', 'Berlin', 52.53)}\n${postcode('SW1A 1AA', 'London', 51.5)}\n`, 'txt');
  for (const query of ['10115', '10115 Berlin', 'Berlin 10115', 'Berln 10115']) {
    t.like(findAddresses(set, query)[0], {
      isPostcode: true,
      isNamed: true,
      street: { town: 'Berlin', postcode: '10115' },
    });
  }
  for (const query of ['SW1A 1AA', 'sw1a1aa', 'London SW1A 1AA']) {
    t.like(findAddresses(set, query)[0], { isPostcode: true, street: { postcode: 'SW1A 1AA' } }, query);
  }
  t.like(findAddresses(set, 'Berlin')[0], { isPostcode: false, isNamed: false });
  t.deepEqual(findAddresses(set, '10117 Hamburg'), []);
  t.is(nearestAddress(set, { latitude: 52.53, longitude: 13.38 }), undefined);
});

test('of the places of GeoNames, the populated ones are read', async (t) => {
  const place = (name: string, featureClass: string) => {
    const located = ['1', name, name, '', '50.53', '8.71', featureClass, 'PPL', 'DE', '', '05', '', '', ''];
    return [...located, '18000', '', '200', 'Europe/Berlin', '2024-01-01'].join('	');
  };
  const set = await imported(`${place('Pohlheim', 'P')}\n${place('Dünsberg', 'T')}\n`, 'txt');
  t.is(findAddresses(set, 'Pohlheim')[0]?.street.town, 'Pohlheim');
  t.deepEqual(findAddresses(set, 'Dünsberg'), []);
});

test('a text file with other columns is refused with the line', async (t) => {
  const { load } = prepare('a\tb\n', 'txt');
  await t.throwsAsync(load, {
    instanceOf: ImportError,
    message: /:1: the line has 2 columns; GeoNames has 12 for postal codes and 19/,
  });
});

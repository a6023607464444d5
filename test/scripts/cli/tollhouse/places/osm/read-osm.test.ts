import { fileURLToPath } from 'node:url';
import test from 'ava';
import { openPbf } from '../../../../../../scripts/cli/tollhouse/places/osm/pbf-file.ts';
import { readOsm } from '../../../../../../scripts/cli/tollhouse/places/osm/read-osm.ts';
import { defined } from '../../../../../../workers/exact/defined.ts';
import { findAddresses } from '../../../../../../workers/geocoding/addresses/find-address.ts';
import { nearestAddress } from '../../../../../../workers/geocoding/addresses/nearest-address.ts';
import { createImportCases, first } from '../import-case.ts';
import { MADE_MAP } from '../made-map.ts';
import { type MadeMap, writePbf } from '../write-pbf.ts';

const { prepare, imported, close } = createImportCases();
test.after.always(close);

const FIXTURE = fileURLToPath(new URL('../../../../../fixtures/places/made-by-osmium.osm.pbf', import.meta.url));
const PBF = 'osm.pbf';
const map = (made: MadeMap = MADE_MAP) => imported(writePbf(made), PBF);

function rowsOf(file: string, maxWanted?: number) {
  const pbf = openPbf(file);
  try {
    return [...readOsm(pbf, maxWanted)];
  } finally {
    pbf.close();
  }
}

test('houses on nodes, buildings and multipolygons are found, with one or several numbers', async (t) => {
  const set = await map();
  for (const house of ['2', '4', '6', '8a', '10']) {
    t.is(first(set, `Lindenallee ${house}, Seestadt`), `${house} Lindenallee, Seestadt`, house);
  }
  t.is(first(set, '35999 Seestadt Lindenallee 8a'), '8a Lindenallee, Seestadt');
  t.is(first(set, '7 Hof Eichen'), '7 Hof Eichen, Waldheim');
});

test('a building and a multipolygon are at their middle', async (t) => {
  const set = await map();
  t.like(findAddresses(set, 'Lindenallee 8a Seestadt')[0]?.house, { latitudeE6: 50_502_000, longitudeE6: 8_702_000 });
  t.like(findAddresses(set, 'Lindenallee 10 Seestadt')[0]?.house, { latitudeE6: 50_503_000, longitudeE6: 8_703_000 });
});

test('a street without houses is found, at its middle and in the nearest town', async (t) => {
  const set = await map();
  const [found] = findAddresses(set, 'Am Waldrand Waldheim');
  t.like(found, {
    house: undefined,
    street: { name: 'Am Waldrand', town: 'Waldheim', postcode: '35998', latitudeE6: 50_542_000 },
  });
  for (const query of ['Neue Straße', 'Weg ins Nichts', 'Wanderweg 5']) t.is(first(set, query), undefined, query);
});

test('a street and its houses are one, though only some of them have a postcode', async (t) => {
  const set = await map();
  const found = findAddresses(set, 'Lindenallee Seestadt').filter(({ street }) => street.kind === 'street');
  t.is(found.length, 1);
  t.like(found[0]?.street, { name: 'Lindenallee', town: 'Seestadt', postcode: '35999' });
});

test('streets of one name in two towns stay two', async (t) => {
  const street = { highway: 'residential', name: 'Dorfstraße' };
  const address = { 'addr:housenumber': '1', 'addr:street': 'Dorfstraße', 'addr:postcode': '35001' };
  const set = await map({
    nodes: [
      { id: 1, latitude: 50.5, longitude: 8.7, tags: { place: 'village', name: 'Oberdorf' } },
      { id: 2, latitude: 50.6, longitude: 8.7, tags: { place: 'village', name: 'Unterdorf' } },
      { id: 3, latitude: 50.5, longitude: 8.7, tags: { ...address, 'addr:city': 'Oberdorf' } },
      { id: 4, latitude: 50.6, longitude: 8.7 },
    ],
    ways: [
      { id: 1, nodes: [3], tags: street },
      { id: 2, nodes: [4], tags: street },
    ],
  });
  t.deepEqual(
    findAddresses(set, 'Dorfstraße')
      .map(({ street: { town } }) => town)
      .toSorted(),
    ['Oberdorf', 'Unterdorf'],
  );
  t.is(first(set, 'Dorfstraße 1 Oberdorf'), '1 Dorfstraße, Oberdorf');
});

test('places and points of interest are found by each of their names', async (t) => {
  const set = await map();
  const names = [
    ['Seestadt', 'Seestadt'],
    ['Laketown', 'Seestadt'],
    ['Hafenviertel', 'Seestadt'],
    ['Zum Goldenen Hecht, Seestadt', 'Seestadt'],
    ['Golden Pike Seestadt', 'Seestadt'],
    ['Golden Pike Lindenallee Seestadt', 'Seestadt'],
    ['Seestadt Hauptbahnhof', 'Seestadt'],
    ['Stadtpark Seestadt', 'Seestadt'],
    ['Alter Friedhof Seestadt', 'Seestadt'],
    ['Seeschule Lindenallee 10 Seestadt', 'Seestadt'],
  ] as const;
  for (const [query, town] of names) t.is(findAddresses(set, query)[0]?.street.town, town, query);
  t.like(findAddresses(set, 'Golden Pike Seestadt')[0]?.street, { kind: 'poi', road: 'Lindenallee' });
  t.like(findAddresses(set, 'Hafenviertel Seestadt')[0]?.street, { kind: 'neighborhood' });
});

test('a point of interest is not found by its address, and says where it is only with its town', async (t) => {
  const set = await map();
  t.true(findAddresses(set, 'Lindenallee 10 Seestadt').every(({ street }) => street.kind === 'street'));
  t.false(defined(findAddresses(set, 'Golden Pike')[0]).isNamed);
  t.true(defined(findAddresses(set, 'Golden Pike Seestadt')[0]).isNamed);
});

test('a place that is named like a street does not hide the street', async (t) => {
  const at = { 'addr:street': 'Seeweg', 'addr:city': 'Seestadt' };
  const set = await map({
    nodes: [
      { id: 1, latitude: 50.5, longitude: 8.7, tags: { ...at, 'addr:housenumber': '1' } },
      ...Array.from({ length: 40 }, (_, index) => ({
        id: 10 + index,
        latitude: 50.5 + index / 1000,
        longitude: 8.71,
        tags: { ...at, 'addr:housenumber': '1', shop: 'kiosk', name: 'Seeweg' },
      })),
    ],
  });
  t.like(findAddresses(set, 'Seeweg 1 Seestadt')[0], { street: { kind: 'street' }, house: { number: 1 } });
});

test('the nearest house of a point is found rather than the middle of its street', async (t) => {
  const set = await map();
  // The middle of the street is at this point, and number 2 is 35 m away.
  t.like(nearestAddress(set, { latitude: 50.501, longitude: 8.7005 }), { house: { number: 2 } });
  t.like(nearestAddress(set, { latitude: 50.542, longitude: 8.7 }), { house: { number: 0 } });
});

test('the file of another program has the same rows', (t) => {
  const { file } = prepare(writePbf(MADE_MAP), PBF);
  t.deepEqual(rowsOf(FIXTURE), rowsOf(file));
  t.is(rowsOf(FIXTURE).length, 16);
});

test('nodes in a list, uncompressed blocks, small blocks and little memory give the same rows', (t) => {
  const { file } = prepare(writePbf(MADE_MAP), PBF);
  const expected = rowsOf(file);
  for (const writing of [{ isDense: false }, { compression: 'none' }, { blockSize: 1 }] as const) {
    t.deepEqual(rowsOf(prepare(writePbf(MADE_MAP, writing), PBF).file), expected, JSON.stringify(writing));
  }
  t.deepEqual(rowsOf(prepare(writePbf(MADE_MAP, { blockSize: 1 }), PBF).file, 1), expected);
});

test('ways whose nodes are not in the file are left out and counted', async (t) => {
  const { load, file } = prepare(writePbf(MADE_MAP), PBF);
  const report = await load();
  t.is(report.refused, 1);
  t.deepEqual(report.reasons, [`${file}:way/105: the file has none of its nodes`]);
});

import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, readdirSync, truncateSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { importPlaces } from '../../../../../scripts/cli/tollhouse/places/import-places.ts';
import { ImportError } from '../../../../../scripts/cli/tollhouse/places/sources/address-row.ts';
import { openAddressSet } from '../../../../../workers/geocoding/addresses/address-set.ts';
import { findAddresses } from '../../../../../workers/geocoding/addresses/find-address.ts';
import { nearestAddress } from '../../../../../workers/geocoding/addresses/nearest-address.ts';
import { commandIn } from '../run-command.ts';
import { CSV } from './addresses.ts';
import { createImportCases, first } from './import-case.ts';

const { root, prepare, imported, close } = createImportCases();
test.after.always(close);

const HEADER = 'LON,LAT,NUMBER,STREET,CITY,DISTRICT,REGION,POSTCODE';
const MAIN = fileURLToPath(new URL('../../../../../scripts/cli/tollhouse/main.ts', import.meta.url));

test('of an address that is there twice, in one file or in two, one is kept', async (t) => {
  const row = '5.04,47.3,1,Rue du Lac,Dijon,,,21000';
  // The same house with another point, 20 m away, and another one of that number in the next village.
  const beside = '5.0402,47.3001,1,Rue du Lac,Dijon,,,21000';
  const elsewhere = '5.24,47.3,1,Rue du Lac,Dijon,,,21000';
  const one = prepare(`${HEADER}\n${row}\n${row}\n${beside}\n`);
  const two = prepare(`${HEADER}\n${beside}\n${elsewhere}\n${row}\n5.041,47.3,2,Rue du Lac,Dijon,,,21000\n`);
  const report = await importPlaces(one.folder, 'own', [one.file, two.file], () => undefined);
  t.like(report, { addresses: 3, streets: 1, repeated: 4, refused: 0 });
  const set = openAddressSet(one.folder.fileOf('own'));
  t.like(findAddresses(set, '1 rue du lac dijon')[0]?.house, { latitudeE6: 47_300_000, longitudeE6: 5_040_000 });
  t.like(nearestAddress(set, { latitude: 47.3, longitude: 5.24 }), { house: { number: 1 } });
});

test('many points of a street without numbers are kept, if they are not near each other', async (t) => {
  const rows = Array.from({ length: 60_000 }, (_, index) => `${5 + index / 500},47.3,,Route Longue,Dijon,,,`);
  const { load } = prepare(`${HEADER}\n${rows.join('\n')}\n`);
  t.like(await load(), { addresses: 60_000, streets: 1 });
});

for (const [index, field] of ['NUMBER', 'STREET', 'CITY', 'DISTRICT', 'REGION', 'POSTCODE'].entries()) {
  test(`a row whose ${field} has more than 200 characters is left out`, async (t) => {
    const good = ['5.04', '47.3', '1', 'Rue du Lac', 'Dijon', '', '', '21000'];
    const long = good.with(index + 2, 'x'.repeat(201));
    const { load, file } = prepare(`${HEADER}\n${good.join(',')}\n${long.join(',')}\n`);
    const report = await load();
    t.like(report, { addresses: 1, refused: 1 });
    t.deepEqual(report.reasons, [`${file}:3: a text is longer than 200 characters`]);
  });
}

test('a row with a line break in a text is left out', async (t) => {
  const feature = (street: string) =>
    JSON.stringify({ type: 'Feature', geometry: { type: 'Point', coordinates: [5, 47] }, properties: { street } });
  const { load, file } = prepare(`${feature('Rue du Lac')}\n${feature('Rue\ndu Lac')}\n`, 'geojson');
  t.deepEqual((await load()).reasons, [`${file}:2: a text has control characters`]);
});

for (const [ending, message] of [
  ['csv', /:1: the line is longer than 1048576 characters$/],
  ['geojson', /:1: the line is longer than 1048576 characters$/],
  ['txt', /:1: the line is longer than 1048576 characters$/],
  ['pbf', /:block 0: the file does not begin with the header of an OSM PBF file$/],
] as const) {
  test(`a gigabyte without a line end is refused at once as ${ending}`, async (t) => {
    const { load, file } = prepare('', ending);
    truncateSync(file, 2 ** 30);
    await t.throwsAsync(load, { instanceOf: ImportError, message });
  });
}

test('a stream that never ends its line is refused, and is left', async (t) => {
  const { folder } = prepare('');
  const pipe = join(root, 'endless.csv');
  t.is(spawnSync('mkfifo', [pipe]).status, 0);
  const writer = createWriteStream(pipe);
  const left = new Promise<void>((resolve) => writer.on('close', () => resolve()));
  // The reader goes away.
  writer.on('error', () => undefined);
  const chunk = Buffer.alloc(2 ** 16, 'x');
  const fill = () => {
    while (!writer.destroyed && writer.write(chunk));
  };
  writer.on('drain', fill).on('open', fill);
  await t.throwsAsync(
    importPlaces(folder, 'own', [pipe], () => undefined),
    {
      instanceOf: ImportError,
      message: /:1: the line is longer than 1048576 characters$/,
    },
  );
  await left;
  t.true(writer.bytesWritten < 16 * 2 ** 20);
});

test('an import that is killed leaves the old set, and the next removes what it left', async (t) => {
  const { at, folder, load } = prepare(CSV);
  await load();
  const reader = openAddressSet(folder.fileOf('own'));
  const rows = Array.from(
    { length: 300_000 },
    (_, index) => `${5 + index / 1e5},47.3,${index % 900},Rue ${index >> 6},Dijon`,
  );
  const large = prepare(`LON,LAT,NUMBER,STREET,CITY\n${rows.join('\n')}\n`);
  const changes = watch(at)[Symbol.asyncIterator]();
  const changed = changes.next();
  const child = spawn(process.execPath, [MAIN, 'places', 'import', large.file, '--name', 'own'], {
    env: { ...process.env, MAPS_PLACES: at },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const exited = once(child, 'exit');
  // The first change is the file that is written.
  await changed;
  child.kill('SIGKILL');
  t.deepEqual(await exited, [null, 'SIGKILL']);
  await changes.return?.();
  t.regex(await output, /^writing 300000 addresses/m);
  t.regex(readdirSync(at).join(' '), /^own\.[0-9a-f-]+\.importing own\.places$/);
  for (const set of [reader, openAddressSet(folder.fileOf('own'))]) {
    t.is(first(set, '12 av mal foch dijon'), '12 Avenue du Maréchal Foch, Dijon');
  }
  await load();
  t.deepEqual(readdirSync(at), ['own.places']);
});

test('a set that cannot be written whole is removed, and the old one stays', async (t) => {
  const { at, folder, load } = prepare(CSV);
  await load();
  const rows = Array.from({ length: 20_000 }, (_, index) => `${5 + index / 1e5},47.3,1,Rue ${index},Dijon`);
  const large = prepare(`LON,LAT,NUMBER,STREET,CITY\n${rows.join('\n')}\n`);
  // A limit for files, in blocks of 512 bytes, has the effect of a full disk for this process.
  const child = spawn(
    'sh',
    ['-c', 'ulimit -f 400; exec "$0" "$@"', process.execPath, MAIN, 'places', 'import', large.file, '--name', 'own'],
    {
      env: { ...process.env, NODE_COMPILE_CACHE: '', MAPS_PLACES: at },
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const [errors, exit] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  t.deepEqual(exit, [1, null]);
  t.regex(
    errors,
    /own\.places: the set could not be written, and what was there is unchanged: (disk I\/O error|database or disk is full)$/m,
  );
  t.deepEqual(readdirSync(at), ['own.places']);
  t.is(first(openAddressSet(folder.fileOf('own')), '12 av mal foch dijon'), '12 Avenue du Maréchal Foch, Dijon');
});

test('a folder that is a file is named', async (t) => {
  const { file } = prepare(CSV);
  const path = join(root, 'not a folder');
  writeFileSync(path, '');
  const { exitCode, errors } = await commandIn({ MAPS_PLACES: path }, 'places')('import', file);
  t.is(exitCode, 1);
  t.regex(errors, /not a folder.*the set could not be written/);
});

test('numbers in other words are points of their street without a number', async (t) => {
  const set = await imported(`${HEADER}\n5.04,47.3,Villa 3,Rue du Lac,Dijon,,,\n`);
  t.is(first(set, 'rue du lac dijon'), 'Rue du Lac, Dijon');
  t.is(first(set, '0 rue du lac dijon'), 'Rue du Lac, Dijon');
});

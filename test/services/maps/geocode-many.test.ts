import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import test, { type ExecutionContext } from 'ava';
import { pino } from 'pino';
import type { GeocodeRequest, ReverseGeocodeRequest } from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { importPlaces } from '../../../scripts/cli/tollhouse/places/import-places.ts';
import { openPlacesFolder } from '../../../scripts/cli/tollhouse/places/places-folder.ts';
import { loadMapQueries } from '../../../scripts/lab/bench/measure/map-queries.ts';
import { readGazetteer } from '../../../services/maps/geocoder/gazetteer-files.ts';
import { createGazetteerGeocoder } from '../../../services/maps/geocoder/gazetteer-geocoder.ts';
import type { Geocoder } from '../../../services/maps/geocoder/geocoder.ts';
import { createGeocodingPool } from '../../../services/maps/geocoder/geocoding-pool.ts';
import { createPlacesGeocoder } from '../../../services/maps/geocoder/places-geocoder.ts';
import { createUpstreamGeocoder } from '../../../services/maps/geocoder/upstream-geocoder.ts';
import { createPhotonGeocoder } from '../../../services/maps/providers/photon.ts';
import type { IndexedAnswer } from '../../../services/platform/grpc/ask-many.ts';
import { CallError } from '../../../services/platform/grpc/grpc-client.ts';
import { HANG_MS } from '../../kit/until.ts';
import { answering, startUpstream } from '../../kit/upstream-server.ts';
import { CSV } from '../../scripts/cli/tollhouse/places/addresses.ts';
import { optionsFor } from './providers/adapters.ts';
import { serveDuring } from './serve.ts';

const root = mkdtempSync(join(tmpdir(), 'tollhouse own places-'));
const settings = { timeoutMs: HANG_MS };
const folder = openPlacesFolder(join(root, 'sets'));
const file = join(root, 'own.csv');
writeFileSync(file, CSV);
await importPlaces(folder, 'own', [file], () => undefined);
const pool = createGeocodingPool({ threads: 2, workerData: await readGazetteer() });
test.after.always(async () => {
  await pool.close();
  rmSync(root, { recursive: true, force: true });
});

const queries = loadMapQueries();
/** A quarter of them has some of every category. */
const quarter = <Query>(all: readonly Query[]) => all.slice(0, Math.ceil(all.length / 4));
const FORWARD: readonly GeocodeRequest[] = [
  ...quarter(queries.forward).map(({ query, language, limit, bias }) => ({
    query,
    language,
    limit,
    biasLatitude: bias?.latitude,
    biasLongitude: bias?.longitude,
  })),
  { query: '12 av mal foch 21000 dijon', language: 'fr' },
  { query: 'Rue des Écoles' },
  { query: ' ' },
  { query: 'Paris', limit: 6 },
];
const REVERSE: readonly ReverseGeocodeRequest[] = [
  ...quarter(queries.reverse).map(({ point, language }) => ({ ...point, language })),
  { latitude: 47.323, longitude: 5.0405 },
  { latitude: 91, longitude: 0 },
];

const failureOf = (error: unknown) =>
  error instanceof CallError ? [error.status, error.code, error.message] : ['not an error of the service', error];

/** The answers by index, each once. */
async function collect<Response>(
  t: ExecutionContext,
  answers: AsyncIterable<IndexedAnswer<Response>>,
): Promise<readonly unknown[]> {
  const byIndex = new Map<number, unknown>();
  for await (const { index, response, error } of answers) {
    t.false(byIndex.has(index));
    byIndex.set(index, response ?? failureOf(error));
  }
  return Array.from(byIndex.keys(), (_, index) => byIndex.get(index));
}

/** Asserts that many queries on a stream have the answers that each has alone. */
async function assertSame(t: ExecutionContext, geocoder: Geocoder, maxUnderWay: number): Promise<void> {
  const { maps } = await serveDuring(t, geocoder, maxUnderWay);
  const forwards: unknown[] = [];
  for (const request of FORWARD) forwards.push(await maps.geocode(request, settings).catch(failureOf));
  t.deepEqual(await collect(t, maps.geocodeMany(FORWARD, settings)), forwards);
  const reverses: unknown[] = [];
  for (const request of REVERSE) reverses.push(await maps.reverseGeocode(request, settings).catch(failureOf));
  t.deepEqual(await collect(t, maps.reverseGeocodeMany(REVERSE, settings)), reverses);
}

test('many queries have the answers that each has alone', (t) => assertSame(t, createGazetteerGeocoder(pool), 1024));

const placesBefore = (next: Geocoder) =>
  createPlacesGeocoder({ pool, folder: join(root, 'sets'), next, logger: pino({ level: 'silent' }) });

test('so they have with own addresses', (t) => assertSame(t, placesBefore(createGazetteerGeocoder(pool)), 1024));

test('so they have with own addresses and a provider', async (t) => {
  const found = {
    type: 'FeatureCollection',
    features: [
      {
        type: 'Feature',
        geometry: { type: 'Point', coordinates: [13.4, 52.5] },
        properties: { name: 'Berlin', osm_key: 'place', osm_value: 'city', countrycode: 'DE' },
      },
    ],
  };
  const upstream = await startUpstream(t, answering(found));
  const provider = createUpstreamGeocoder(createPhotonGeocoder(optionsFor(upstream.baseUrl)), pool);
  await assertSame(t, placesBefore(provider), 16);
  t.true(upstream.seen.length > FORWARD.length);
});

const NOTHING: Geocoder = { geocode: async () => [], reverse: async () => [] };

test('queries of a source that makes pauses are answered without waiting for the next ones', async (t) => {
  const { maps } = await serveDuring(t, NOTHING);
  let answered = Promise.withResolvers<void>();
  async function* asked() {
    for (let query = 0; query < 3; query += 1) {
      yield { query: `query ${query}` };
      // The next query is made of the answer to this one.
      await answered.promise;
      answered = Promise.withResolvers();
    }
  }
  const indexes: number[] = [];
  for await (const { index, response } of maps.geocodeMany(asked(), settings)) {
    t.is(response?.query, `query ${index}`);
    indexes.push(index);
    answered.resolve();
  }
  t.deepEqual(indexes, [0, 1, 2]);
});

test('no queries have no answers', async (t) => {
  const { maps } = await serveDuring(t, NOTHING);
  t.deepEqual(await collect(t, maps.geocodeMany([], settings)), []);
});

test('a caller that leaves the loop cancels the rest, and takes no more queries from its source', async (t) => {
  const aborted = Promise.withResolvers<void>();
  const holding: Geocoder = {
    ...NOTHING,
    geocode: async ({ query }, { signal }) => {
      if (query === 'first') return [];
      signal.addEventListener('abort', () => aborted.resolve());
      return new Promise(() => {});
    },
  };
  const { maps } = await serveDuring(t, holding);
  const closed = Promise.withResolvers<void>();
  function* endless() {
    try {
      yield { query: 'first' };
      for (;;) yield { query: 'next' };
    } finally {
      closed.resolve();
    }
  }
  for await (const { index } of maps.geocodeMany(endless(), settings)) {
    t.is(index, 0);
    break;
  }
  await Promise.all([aborted.promise, closed.promise]);
});

test('an error of the source is thrown to the caller', async (t) => {
  const { maps } = await serveDuring(t, NOTHING);
  function* broken() {
    yield { query: 'a' };
    throw new RangeError('broken source');
  }
  await t.throwsAsync(collect(t, maps.geocodeMany(broken(), settings)), { instanceOf: RangeError });
});

test('a stream over its time limit is DEADLINE_EXCEEDED', async (t) => {
  const { maps } = await serveDuring(t, { ...NOTHING, geocode: () => new Promise(() => {}) });
  const late = await t.throwsAsync(collect(t, maps.geocodeMany([{ query: 'a' }], { timeoutMs: 300 })), {
    instanceOf: CallError,
  });
  t.is(late.status, status.DEADLINE_EXCEEDED);
});

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { type BatchCall, createBatchClient } from '../../../services/platform/grpc/batch-client.ts';
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

/** The answers to requests that are sent together. */
async function askTogether<Request, Response>(
  t: ExecutionContext,
  open: () => BatchCall<Request, Response>,
  requests: readonly Request[],
): Promise<readonly unknown[]> {
  const stream = createBatchClient<Request, Request, Response>({
    open,
    toMessage: (request) => request,
    maxItems: 128,
    maxInFlight: 4,
  });
  t.teardown(stream.close);
  return Promise.all(requests.map((request) => stream.send(request, settings.timeoutMs).catch(failureOf)));
}

/** Asserts that many queries on streams have the answers that each has alone. */
async function assertSame(t: ExecutionContext, geocoder: Geocoder, maxUnderWay: number): Promise<void> {
  const { maps, channels } = await serveDuring(t, geocoder, maxUnderWay);
  const forwards: unknown[] = [];
  for (const request of FORWARD) forwards.push(await maps.geocode(request, settings).catch(failureOf));
  t.deepEqual(await askTogether(t, () => channels.open((client) => client.geocodeStream()), FORWARD), forwards);
  const reverses: unknown[] = [];
  for (const request of REVERSE) reverses.push(await maps.reverseGeocode(request, settings).catch(failureOf));
  t.deepEqual(await askTogether(t, () => channels.open((client) => client.reverseGeocodeStream()), REVERSE), reverses);
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

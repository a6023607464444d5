import { MapsServiceService } from '../../proto/gen/tollhouse/maps/v1/maps.ts';
import { startGrpcServer } from '../platform/grpc/grpc-server.ts';
import { watchProcess } from '../platform/process/watched-process.ts';
import { MapsEnvironment, type ProviderConfig, readConfig } from './config.ts';
import { readGazetteer } from './geocoder/gazetteer-files.ts';
import { createGazetteerGeocoder } from './geocoder/gazetteer-geocoder.ts';
import type { Geocoder } from './geocoder/geocoder.ts';
import { createGeocodingPool } from './geocoder/geocoding-pool.ts';
import { createPlacesGeocoder } from './geocoder/places-geocoder.ts';
import { listSets } from './geocoder/set-files.ts';
import { createUpstreamGeocoder } from './geocoder/upstream-geocoder.ts';
import { createAzureGeocoder } from './providers/azure.ts';
import { createNominatimGeocoder } from './providers/nominatim.ts';
import { createPeliasGeocoder } from './providers/pelias.ts';
import { createPhotonGeocoder } from './providers/photon.ts';
import { createMapsService } from './service.ts';

/** Those that cross to a thread together, and as many that are ready to follow or on their way back. */
const QUERIES_PER_THREAD = 512;
/** Concurrent queries of one stream at a provider, whose answers take a hundred times as long. */
const UPSTREAM_QUERIES = 16;
/** Longest time for a query to the provider. The gateway waits for ten seconds, and must learn that it was too slow. */
const PROVIDER_TIMEOUT_MS = 6000;

const WARM_UP = { kind: 'geocode', query: { query: 'Rome', limit: 1 }, atMs: 0 } as const;

const { logger, closeOnExit } = watchProcess('maps', process.env, MapsEnvironment);
const config = readConfig(process.env);
const pool = createGeocodingPool({
  workerData: await readGazetteer(),
  ...(config.threads === undefined ? {} : { threads: config.threads }),
});
// If a thread cannot open the data, this process must fail now, and not at the first caller.
await pool.run(WARM_UP);
const provider = geocoderOf(config.provider);
const geocoder =
  config.places === undefined
    ? provider
    : createPlacesGeocoder({ pool, folder: config.places, next: provider, logger });
// A wrong folder is noticed now. A file that is not a set must not keep the others from being served.
if (config.places !== undefined) await listSets(config.places);
const server = await startGrpcServer({
  listen: config.listen,
  identity: config.identity,
  callers: { gateway: 'all', client: 'all' },
  service: MapsServiceService,
  implementation: createMapsService({
    geocoder,
    maxUnderWay: config.provider.kind === 'gazetteer' ? pool.threads * QUERIES_PER_THREAD : UPSTREAM_QUERIES,
    now: Date.now,
    logger,
  }),
  logger,
});
server.setReady(true);

closeOnExit(async () => {
  await server.close();
  await pool.close();
});

function geocoderOf(provider: ProviderConfig): Geocoder {
  const options = { timeoutMs: PROVIDER_TIMEOUT_MS, logger };
  switch (provider.kind) {
    case 'gazetteer':
      return createGazetteerGeocoder(pool);
    case 'azure': {
      const { baseUrl, key } = provider;
      return createUpstreamGeocoder(createAzureGeocoder({ ...options, key, ...(baseUrl && { baseUrl }) }), pool);
    }
    case 'nominatim':
      return createUpstreamGeocoder(createNominatimGeocoder({ ...options, ...provider }), pool);
    case 'photon':
      return createUpstreamGeocoder(createPhotonGeocoder({ ...options, ...provider }), pool);
    case 'pelias':
      return createUpstreamGeocoder(createPeliasGeocoder({ ...options, ...provider }), pool);
  }
}

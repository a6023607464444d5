import { execFile, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import { MapsServiceClient } from '../../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { readGazetteer } from '../../../../services/maps/geocoder/gazetteer-files.ts';
import type { GeocodingPool } from '../../../../services/maps/geocoder/gazetteer-geocoder.ts';
import { type Channels, openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { createPool } from '../../../../services/platform/pools/pool.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { openGazetteer } from '../../../../workers/geocoding/gazetteer/gazetteer.ts';
import { createGeocoding, type ForwardQuery, type ReverseQuery } from '../../../../workers/geocoding/geocoding.ts';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import { type Comparison, keepInFlight } from '../measure/compare.ts';
import { loadMapQueries } from '../measure/map-queries.ts';
import type { Fact, Scope } from '../measure/scope.ts';
import { untilConnected } from '../measure/until-connected.ts';

const WORKER = new URL('../../../../workers/geocoding/worker.ts', import.meta.url);
const IN_FLIGHT_OVER_GRPC = 32;
const SETTINGS = { timeoutMs: 30_000 };
const P99_MS = 5;

const Readiness = Type.Object({ readyMs: Type.Number(), megabytes: Type.Number() });
const readReadiness = createJsonReader(Readiness, 'the output of maps-ready.ts');

/** The ways to answer the same queries: on this thread, in a worker pool and over gRPC. */
interface Ways<Query> {
  readonly title: string;
  readonly queries: readonly Query[];
  readonly targetPerSecond: number;
  readonly onThread: (query: Query) => unknown;
  readonly inPool: (pool: GeocodingPool, query: Query) => Promise<unknown>;
  readonly overGrpc: (query: Query) => Promise<unknown>;
}

export const maps: Scope = async () => {
  const facts = await measureFacts();
  const { forward, reverse } = loadMapQueries();
  const atMs = Date.now();
  const blocks = await readGazetteer();
  const geocoding = createGeocoding(openGazetteer(blocks));
  const poolOf = (threads: number): GeocodingPool => createPool({ worker: WORKER, threads, workerData: blocks });
  const pools = { one: poolOf(1), two: poolOf(2) };
  const { channels, stop } = await startService();
  const forwards = compareWays<ForwardQuery>(pools, {
    title: 'geocode',
    queries: forward,
    targetPerSecond: 5000,
    onThread: (query) => geocoding.geocode(query, atMs),
    inPool: (pool, query) => pool.run({ kind: 'geocode', query, atMs }),
    overGrpc: ({ query, language, limit }) =>
      channels.call((client) => client.geocode, { query, language, limit }, SETTINGS),
  });
  const reverses = compareWays<ReverseQuery>(pools, {
    title: 'reverse',
    queries: reverse,
    targetPerSecond: 20_000,
    onThread: (query) => geocoding.reverse(query, atMs),
    inPool: (pool, query) => pool.run({ kind: 'reverse', query, atMs }),
    overGrpc: ({ point, language }) =>
      channels.call((client) => client.reverseGeocode, { ...point, language }, SETTINGS),
  });
  return {
    facts,
    comparisons: [...forwards, ...reverses],
    async stop() {
      stop();
      await Promise.all([pools.one.close(), pools.two.close()]);
    },
  };
};

function compareWays<Query>(
  { one, two }: Readonly<Record<'one' | 'two', GeocodingPool>>,
  { title: name, queries, targetPerSecond, onThread, inPool, overGrpc }: Ways<Query>,
): readonly Comparison[] {
  const title = `${name}, ${queries.length} queries`;
  const run = (inFlight: number, answer: (query: Query) => Promise<unknown>) =>
    keepInFlight(inFlight, async (index) => {
      await answer(defined(queries[index % queries.length]));
    });
  const direct = { name: 'called on this thread', run: run(1, async (query) => onThread(query)) };
  const inOne = { name: 'one worker', run: run(2, (query) => inPool(one, query)) };
  const inTwo = { name: 'two workers', run: run(4, (query) => inPool(two, query)) };
  const remote = { name: 'over gRPC, one worker', run: run(IN_FLIGHT_OVER_GRPC, overGrpc) };
  return [
    { title, ours: direct, reference: inOne, targetPerSecond, targetP99Ms: P99_MS },
    { title, ours: inTwo, reference: inOne },
    { title, ours: remote, reference: direct },
  ];
}

async function startService(): Promise<{ readonly channels: Channels<MapsServiceClient>; readonly stop: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-bench-'));
  const listen = `unix:${folder}/maps.sock`;
  const env = { ...process.env, LOG_LEVEL: 'warn', LISTEN: listen, MAPS_THREADS: '1' };
  const service = fork(new URL('../../../../services/maps/main.ts', import.meta.url), { env });
  const channels = openChannels(MapsServiceClient, listen);
  await untilConnected(() => channels.call((client) => client.geocode, { query: 'Rome' }, SETTINGS));
  return {
    channels,
    stop() {
      channels.close();
      service.kill();
      rmSync(folder, { recursive: true });
    },
  };
}

async function measureFacts(): Promise<readonly Fact[]> {
  const one = await measureProcess(1);
  const two = await measureProcess(2);
  return [
    { name: 'a process with one worker is ready after', value: one.readyMs, unit: 'ms', atMost: 3000 },
    { name: 'a process with one worker takes', value: one.megabytes, unit: 'MB', atMost: 400 },
    { name: 'another worker takes', value: two.megabytes - one.megabytes, unit: 'MB', atMost: 400 },
  ];
}

async function measureProcess(threads: number): Promise<Static<typeof Readiness>> {
  const script = fileURLToPath(new URL('../measure/maps-ready.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(threads)]);
  return readReadiness(stdout);
}

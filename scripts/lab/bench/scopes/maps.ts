import { execFile, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import {
  type GeocodeRequest,
  MapsServiceClient,
  type ReverseGeocodeRequest,
} from '../../../../proto/gen/tollhouse/maps/v1/maps.ts';
import { createMapsClient, type MapsClient } from '../../../../services/maps/contract/client.ts';
import { readGazetteer } from '../../../../services/maps/geocoder/gazetteer-files.ts';
import type { GeocodingPool } from '../../../../services/maps/geocoder/gazetteer-geocoder.ts';
import { createGeocodingPool } from '../../../../services/maps/geocoder/geocoding-pool.ts';
import { createBatchClient } from '../../../../services/platform/grpc/batch-client.ts';
import { openChannels } from '../../../../services/platform/grpc/grpc-client.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { openGazetteer } from '../../../../workers/geocoding/gazetteer/gazetteer.ts';
import { createGeocoding, type ForwardQuery, type ReverseQuery } from '../../../../workers/geocoding/geocoding.ts';
import { createJsonReader } from '../../../launch/parse/json-reader.ts';
import { type Comparison, type Contender, keepInFlight } from '../measure/compare.ts';
import { loadMapQueries } from '../measure/map-queries.ts';
import type { Fact, Scope } from '../measure/scope.ts';
import { untilConnected } from '../measure/until-connected.ts';
import { withCpu } from '../measure/with-cpu.ts';

const IN_FLIGHT_OVER_GRPC = 32;
/** Queries of a bulk caller, and the messages that they share. */
const IN_FLIGHT_IN_BULK = 512;
const MESSAGES_IN_BULK = 4;
const SETTINGS = { timeoutMs: 30_000 };
const P99_MS = 5;
/** Part of a thread's own speed that a bulk caller must get. */
const BULK_TARGET = 0.6;

const Readiness = Type.Object({ readyMs: Type.Number(), megabytes: Type.Number() });
const readReadiness = createJsonReader(Readiness, 'the output of maps-ready.ts');

/** The ways to answer the same queries: on this thread, in a worker pool, over gRPC, and over gRPC in bulk. */
interface Ways<Query> {
  readonly title: string;
  readonly queries: readonly Query[];
  readonly targetPerSecond: number;
  readonly onThread: (query: Query) => unknown;
  readonly inPool: (pool: GeocodingPool, query: Query) => Promise<unknown>;
  readonly overGrpc: (query: Query) => Promise<unknown>;
  readonly inBulk: (query: Query) => Promise<unknown>;
}

export const maps: Scope = async () => {
  const facts = await measureFacts();
  const { forward, reverse } = loadMapQueries();
  const atMs = Date.now();
  const blocks = await readGazetteer();
  const geocoding = createGeocoding(openGazetteer(blocks));
  const poolOf = (threads: number): GeocodingPool => createGeocodingPool({ threads, workerData: blocks });
  const pools = { one: poolOf(1), two: poolOf(2) };
  const { client, bulk, stop } = await startService();
  const forwards = compareWays<ForwardQuery>(pools, {
    title: 'geocode',
    queries: forward,
    targetPerSecond: 5000,
    onThread: (query) => geocoding.geocode(query, atMs),
    inPool: (pool, query) => pool.run({ kind: 'geocode', query, atMs }),
    overGrpc: (query) => client.geocode(forwardRequest(query), SETTINGS),
    inBulk: (query) => bulk.geocode.send(forwardRequest(query), SETTINGS.timeoutMs),
  });
  const reverses = compareWays<ReverseQuery>(pools, {
    title: 'reverse',
    queries: reverse,
    targetPerSecond: 20_000,
    onThread: (query) => geocoding.reverse(query, atMs),
    inPool: (pool, query) => pool.run({ kind: 'reverse', query, atMs }),
    overGrpc: (query) => client.reverseGeocode(reverseRequest(query), SETTINGS),
    inBulk: (query) => bulk.reverse.send(reverseRequest(query), SETTINGS.timeoutMs),
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
  { title: name, queries, targetPerSecond, onThread, inPool, overGrpc, inBulk }: Ways<Query>,
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
    {
      title: `${title}, in bulk`,
      ours: { name: 'stream over gRPC, one worker', run: streamOf(run(IN_FLIGHT_IN_BULK, inBulk)) },
      reference: { name: 'called in a loop on this thread', run: loopOf(queries, onThread) },
      target: BULK_TARGET,
    },
  ];
}

const forwardRequest = ({ query, language, limit, bias }: ForwardQuery): GeocodeRequest => ({
  query,
  language,
  limit,
  biasLatitude: bias?.latitude,
  biasLongitude: bias?.longitude,
});

const reverseRequest = ({ point, language }: ReverseQuery): ReverseGeocodeRequest => ({ ...point, language });

function* repeatFor<Query>(queries: readonly Query[], durationMs: number): Generator<Query, void, undefined> {
  const endMs = performance.now() + durationMs;
  while (performance.now() < endMs) yield* queries;
}

/** Adds the processor time of the service and of this process, its client. */
const streamOf =
  (run: Contender['run']): Contender['run'] =>
  async (durationMs) => {
    const { round, cpuMsByProcess } = await withCpu(() => run(durationMs));
    return { ...round, cpuMsByProcess };
  };

const loopOf =
  <Query>(queries: readonly Query[], onThread: Ways<Query>['onThread']): Contender['run'] =>
  async (durationMs) => {
    const startMs = performance.now();
    let answers = 0;
    for (const query of repeatFor(queries, durationMs)) {
      onThread(query);
      answers += 1;
    }
    return { perSecond: (answers * 1000) / (performance.now() - startMs) };
  };

function openBulk(target: string) {
  const channels = openChannels(MapsServiceClient, target);
  const geocode = createBatchClient({
    open: () => channels.open((stub) => stub.geocodeStream()),
    toMessage: (request: GeocodeRequest) => request,
    maxItems: IN_FLIGHT_IN_BULK / MESSAGES_IN_BULK,
    maxInFlight: MESSAGES_IN_BULK,
  });
  const reverse = createBatchClient({
    open: () => channels.open((stub) => stub.reverseGeocodeStream()),
    toMessage: (request: ReverseGeocodeRequest) => request,
    maxItems: IN_FLIGHT_IN_BULK / MESSAGES_IN_BULK,
    maxInFlight: MESSAGES_IN_BULK,
  });
  const close = () => {
    geocode.close();
    reverse.close();
    channels.close();
  };
  return { geocode, reverse, close };
}

interface Service {
  readonly client: MapsClient;
  readonly bulk: ReturnType<typeof openBulk>;
  readonly stop: () => void;
}

async function startService(): Promise<Service> {
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-bench-'));
  const listen = `unix:${folder}/maps.sock`;
  const env = { ...process.env, LOG_LEVEL: 'warn', LISTEN: listen, MAPS_THREADS: '1' };
  const service = fork(new URL('../../../../services/maps/main.ts', import.meta.url), { env });
  const client = createMapsClient(listen);
  const bulk = openBulk(listen);
  await untilConnected(() => client.geocode({ query: 'Rome' }, SETTINGS));
  return {
    client,
    bulk,
    stop() {
      client.close();
      bulk.close();
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

import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type ClientDuplexStream, type ServiceError as GrpcServiceError, status } from '@grpc/grpc-js';
import test from 'ava';
import type {
  GeocodeOutcome,
  GeocodeStreamRequest,
  GeocodeStreamResponse,
} from '../../../proto/gen/tollhouse/maps/v1/maps.ts';
import type { GeocodeQuery, Geocoder, GeocoderOptions } from '../../../services/maps/geocoder/geocoder.ts';
import { ServiceError } from '../../../services/platform/grpc/service-error.ts';
import { HANG_MS } from '../../kit/until.ts';
import { serveDuring } from './serve.ts';

type Stream = ClientDuplexStream<GeocodeStreamRequest, GeocodeStreamResponse>;

/** A geocoder that finds nothing, and whose answers a test may hold back or replace by an error. */
function geocoderOf(answer: (query: GeocodeQuery, options: GeocoderOptions) => Promise<unknown> | unknown): Geocoder {
  return {
    async geocode(query, options) {
      await answer(query, options);
      return [];
    },
    reverse: async () => [],
  };
}

const messageOf = (id: number, queries: readonly string[]): GeocodeStreamRequest => ({
  id: BigInt(id),
  items: queries.map((query) => ({ query })),
});
/** A message whose queries are named by its id and their index. */
const message = (id: number, size: number) =>
  messageOf(
    id,
    Array.from({ length: size }, (_, index) => `query ${id}.${index}`),
  );

/** All answers until the stream ends. */
async function readAll(stream: Stream): Promise<readonly GeocodeStreamResponse[]> {
  const answers: GeocodeStreamResponse[] = [];
  stream.on('data', (answer: GeocodeStreamResponse) => answers.push(answer));
  await once(stream, 'end');
  return answers;
}

const failureOf = (stream: Stream): Promise<GrpcServiceError> =>
  new Promise((resolve) => {
    stream.on('error', (error: GrpcServiceError) => resolve(error)).resume();
  });

const echoOf = ({ outcome }: GeocodeOutcome) =>
  outcome?.$case === 'result' ? outcome.value.query : outcome?.value.code;
const NOTHING = geocoderOf(() => undefined);

test('a message is answered under its id, with the outcomes in the order of its queries', async (t) => {
  const { client } = await serveDuring(
    t,
    geocoderOf(({ query }) => query.endsWith('7') && setImmediate()),
  );
  const stream = client.geocodeStream();
  stream.end(message(3, 256));
  const answers = await readAll(stream);
  t.deepEqual(
    answers.map(({ id, outcomes }) => [id, outcomes.map(echoOf)]),
    [[3n, message(3, 256).items.map(({ query }) => query)]],
  );
});

test('10,000 queries on one stream are all answered', async (t) => {
  const { client } = await serveDuring(t, NOTHING, 64);
  const stream = client.geocodeStream();
  const answers = readAll(stream);
  for (let id = 0; id < 100; id += 1) if (!stream.write(message(id, 100))) await once(stream, 'drain');
  stream.end();
  const byId = new Map((await answers).map(({ id, outcomes }) => [Number(id), outcomes.map(echoOf)]));
  t.is(byId.size, 100);
  for (const [id, echoes] of byId)
    t.deepEqual(
      echoes,
      message(id, 100).items.map(({ query }) => query),
    );
});

test('a message that is ready is answered before an earlier one that is not', async (t) => {
  const held = Promise.withResolvers<void>();
  const { client } = await serveDuring(
    t,
    geocoderOf(({ query }) => query === 'query 0.0' && held.promise),
  );
  const stream = client.geocodeStream();
  stream.write(message(0, 1));
  stream.end(message(1, 1));
  const ids: bigint[] = [];
  stream.on('data', ({ id }: GeocodeStreamResponse) => {
    ids.push(id);
    held.resolve();
  });
  await once(stream, 'end');
  t.deepEqual(ids, [1n, 0n]);
});

test('a query that fails is an error in its place, and the others are answered', async (t) => {
  const failing = geocoderOf(({ query }) => {
    if (query === 'late') throw new ServiceError('UPSTREAM_TIMEOUT', 'too slow');
    if (query === 'broken') throw new TypeError('broken');
  });
  const { client } = await serveDuring(t, failing);
  const stream = client.geocodeStream();
  stream.write(messageOf(1, ['a', ' ', 'late', 'broken', 'a']));
  stream.write(messageOf(1, []));
  stream.end(messageOf(2, ['b']));
  t.deepEqual(
    (await readAll(stream)).map(({ outcomes }) => outcomes.map(echoOf)).toSorted((a, b) => b.length - a.length),
    [['a', 'INVALID_ARGUMENT', 'UPSTREAM_TIMEOUT', 'INTERNAL', 'a'], ['b'], []],
  );
});

test('too large a message ends the stream with INVALID_ARGUMENT, and none of its queries is asked', async (t) => {
  let asked = 0;
  const { client } = await serveDuring(
    t,
    geocoderOf(() => (asked += 1)),
  );
  const stream = client.geocodeStream();
  const failure = failureOf(stream);
  stream.write(message(0, 257));
  const { code, metadata } = await failure;
  t.is(code, status.INVALID_ARGUMENT);
  t.deepEqual(metadata.get('tollhouse-error-code'), ['INVALID_ARGUMENT']);
  t.is(asked, 0);
});

test('a stream that its caller cancels in the middle asks no more queries', async (t) => {
  let asked = 0;
  const begun = Promise.withResolvers<AbortSignal>();
  const held = Promise.withResolvers<void>();
  const { client, channels } = await serveDuring(
    t,
    geocoderOf((_, { signal }) => {
      asked += 1;
      if (asked === 4) begun.resolve(signal);
      return held.promise;
    }),
  );
  const stream = client.geocodeStream();
  const failure = failureOf(stream);
  stream.write(message(0, 256));
  stream.write(message(1, 256));
  const signal = await begun.promise;
  stream.cancel();
  t.is((await failure).code, status.CANCELLED);
  if (!signal.aborted) await once(signal, 'abort');
  held.resolve();
  await channels.call((stub) => stub.reverseGeocode, { latitude: 0, longitude: 0 }, { timeoutMs: HANG_MS });
  t.is(asked, 4);
});

test('while a caller does not read its answers, its queries wait', async (t) => {
  const maxUnderWay = 64;
  let asked = 0;
  const { client } = await serveDuring(
    t,
    geocoderOf(() => (asked += 1)),
    maxUnderWay,
  );
  const stream = client.geocodeStream();
  const all = 20_000;
  const query = 'x'.repeat(2000);
  const sent = (async () => {
    for (let id = 0; id < all / 100; id += 1) {
      if (!stream.write(messageOf(id, Array(100).fill(query)))) await once(stream, 'drain');
    }
    stream.end();
  })();
  let received = 0;
  let mostAhead = 0;
  const messages: AsyncIterable<GeocodeStreamResponse> = stream;
  for await (const { outcomes } of messages) {
    mostAhead = Math.max(mostAhead, asked - received);
    received += outcomes.length;
    // Other events of this process, which is the server too, come before the next answer is read.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  }
  await sent;
  t.is(received, all);
  // Node's streams hold 16 messages on each side.
  t.true(mostAhead <= 100 * (2 * 16 + 8), `${mostAhead} answers waited`);
});

import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type ClientDuplexStream, type ServiceError as GrpcServiceError, status } from '@grpc/grpc-js';
import test from 'ava';
import type {
  GeocodeAnswer,
  GeocodeItem,
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

const item = (id: number, query: string | undefined = `query ${id}`): GeocodeItem => ({
  id: BigInt(id),
  request: query === undefined ? undefined : { query },
});
const batchOf = (items: readonly GeocodeItem[]): GeocodeStreamRequest => ({
  id: 0n,
  request: undefined,
  batch: [...items],
});
const batch = (from: number, size: number) => batchOf(Array.from({ length: size }, (_, at) => item(from + at)));

/** The answers of all batches until the stream ends. */
async function readAll(stream: Stream): Promise<readonly GeocodeAnswer[]> {
  const answers: GeocodeAnswer[] = [];
  stream.on('data', (message: GeocodeStreamResponse) => answers.push(...message.batch));
  await once(stream, 'end');
  return answers;
}

const failureOf = (stream: Stream): Promise<GrpcServiceError> =>
  new Promise((resolve) => {
    stream.on('error', (error: GrpcServiceError) => resolve(error)).resume();
  });

const echoOf = ({ outcome }: GeocodeAnswer) =>
  outcome?.$case === 'result' ? outcome.value.query : outcome?.value.code;
const NOTHING = geocoderOf(() => undefined);

test('a batch is answered in batches, each query under its id', async (t) => {
  const { client } = await serveDuring(t, NOTHING);
  const stream = client.geocodeStream();
  stream.end(batch(0, 256));
  const answers = await readAll(stream);
  t.deepEqual(new Map(answers.map((answer) => [answer.id, echoOf(answer)])).size, 256);
  t.true(answers.every((answer) => echoOf(answer) === `query ${answer.id}`));
});

test('10,000 queries on one stream are all answered, some in other messages than they came in', async (t) => {
  const { client } = await serveDuring(
    t,
    geocoderOf(({ query }) => query.endsWith('7') && setImmediate()),
    64,
  );
  const stream = client.geocodeStream();
  const answers = readAll(stream);
  for (let from = 0; from < 10_000; from += 100) {
    if (!stream.write(batch(from, 100))) await once(stream, 'drain');
  }
  stream.end();
  const ids = (await answers).map(({ id }) => Number(id));
  t.is(ids.length, 10_000);
  t.is(new Set(ids).size, 10_000);
  t.true(ids.indexOf(7) > ids.indexOf(8), 'a query that is ready is answered before one that is not');
});

test('a query that fails is an error under its id, and the others are answered', async (t) => {
  const failing = geocoderOf(({ query }) => {
    if (query === 'late') throw new ServiceError('UPSTREAM_TIMEOUT', 'too slow');
  });
  const { client } = await serveDuring(t, failing);
  const stream = client.geocodeStream();
  stream.end(batchOf([item(1), item(2, ' '), { id: 3n, request: undefined }, item(4, 'late'), item(5)]));
  const answers = new Map((await readAll(stream)).map((answer) => [answer.id, echoOf(answer)]));
  t.deepEqual(
    [...answers].toSorted(([a], [b]) => Number(a - b)),
    [
      [1n, 'query 1'],
      [2n, 'INVALID_ARGUMENT'],
      [3n, 'INVALID_ARGUMENT'],
      [4n, 'UPSTREAM_TIMEOUT'],
      [5n, 'query 5'],
    ],
  );
});

test('queries with the same id are all answered', async (t) => {
  const { client } = await serveDuring(t, NOTHING);
  const stream = client.geocodeStream();
  stream.end(batchOf([item(7, 'a'), item(7, 'b'), item(7, 'a')]));
  t.deepEqual((await readAll(stream)).map(echoOf).toSorted(), ['a', 'a', 'b']);
});

test('a message without a query is answered with an error, and the stream goes on', async (t) => {
  const { client } = await serveDuring(t, NOTHING);
  const stream = client.geocodeStream();
  const messages: GeocodeStreamResponse[] = [];
  stream.on('data', (message: GeocodeStreamResponse) => messages.push(message));
  stream.write(batchOf([]));
  stream.end({ id: 1n, request: { query: 'a' }, batch: [] });
  await once(stream, 'end');
  const [empty, single] = messages.toSorted((a, b) => Number(a.id - b.id));
  t.like(empty, { id: 0n, batch: [], outcome: { $case: 'error', value: { code: 'INVALID_ARGUMENT' } } });
  t.like(single, { id: 1n, batch: [], outcome: { $case: 'result', value: { query: 'a' } } });
});

for (const [title, message] of [
  ['too large a batch', batch(0, 257)],
  ['a message with a request and a batch', { ...batch(0, 1), request: { query: 'a' } }],
] as const) {
  test(`${title} ends the stream with INVALID_ARGUMENT, and none of its queries is asked`, async (t) => {
    let asked = 0;
    const { client } = await serveDuring(
      t,
      geocoderOf(() => (asked += 1)),
    );
    const stream = client.geocodeStream();
    const failure = failureOf(stream);
    stream.write(message);
    const { code, metadata } = await failure;
    t.is(code, status.INVALID_ARGUMENT);
    t.deepEqual(metadata.get('tollhouse-error-code'), ['INVALID_ARGUMENT']);
    t.is(asked, 0);
  });
}

test('an unexpected error ends the stream with INTERNAL at once, and no query after it is asked', async (t) => {
  let asked = 0;
  const begun = Promise.withResolvers<AbortSignal>();
  const { client, channels } = await serveDuring(
    t,
    geocoderOf(({ query }, { signal }) => {
      asked += 1;
      begun.resolve(signal);
      if (query === 'query 5') throw new TypeError('broken');
      return asked > 5 ? new Promise(() => {}) : undefined;
    }),
  );
  const stream = client.geocodeStream();
  const failure = failureOf(stream);
  stream.write(batch(0, 256));
  t.is((await failure).code, status.INTERNAL);
  const signal = await begun.promise;
  if (!signal.aborted) await once(signal, 'abort');
  const askedThen = asked;
  await channels.call((stub) => stub.reverseGeocode, { latitude: 0, longitude: 0 }, { timeoutMs: HANG_MS });
  t.is(asked, askedThen);
  t.true(asked < 256);
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
  stream.write(batch(0, 256));
  stream.write(batch(256, 256));
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
    for (let from = 0; from < all; from += 100) {
      const items = Array.from({ length: 100 }, (_, at) => item(from + at, query));
      if (!stream.write(batchOf(items))) await once(stream, 'drain');
    }
    stream.end();
  })();
  let received = 0;
  let mostAhead = 0;
  const messages: AsyncIterable<GeocodeStreamResponse> = stream;
  for await (const message of messages) {
    mostAhead = Math.max(mostAhead, asked - received);
    received += message.batch.length;
    // Other events of this process, which is the server too, come before the next answer is read.
    for (let turn = 0; turn < 5; turn += 1) await setImmediate();
  }
  await sent;
  t.is(received, all);
  // Node's streams hold 16 messages on each side, and a message has the queries under way at most.
  t.true(mostAhead <= maxUnderWay * (2 * 16 + 8), `${mostAhead} answers waited`);
});

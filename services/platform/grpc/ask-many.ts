import { once } from 'node:events';
import {
  type CallOptions,
  type ClientDuplexStream,
  type ServiceError as GrpcServiceError,
  Metadata,
} from '@grpc/grpc-js';
import type { RequestOutcome } from './bulk-stream.ts';
import { CallError, type CallSettings } from './grpc-client.ts';

/** The answer to one of many requests. `index` counts the requests from 0. */
export type IndexedAnswer<Response> = { readonly index: number } & (
  | { readonly response: Response; readonly error?: undefined }
  | { readonly error: CallError; readonly response?: undefined }
);

interface Item<Request> {
  id: bigint;
  request: Request;
}

interface RequestMessage<Request> {
  id: bigint;
  request: Request | undefined;
  batch: Item<Request>[];
}

interface ResponseMessage<Response> {
  readonly batch: readonly { readonly id: bigint; readonly outcome: RequestOutcome<Response> | undefined }[];
}

type Stream<Request, Response> = ClientDuplexStream<RequestMessage<Request>, ResponseMessage<Response>>;

/** Enough that a message costs little beside its requests, and answers still come every few milliseconds. */
const BATCH = 128;

/**
 * Sends many requests over one stream, in batches, and yields the answers as they come. Requests are taken from their
 * source as fast as the service takes them, and answers as fast as the caller does. To leave the loop cancels the rest.
 * @param settings its time limit is that of the whole stream
 * @throws {CallError} if the stream fails; what the source of the requests throws
 */
export async function* askMany<Request, Response>(
  open: (metadata: Metadata, options: Partial<CallOptions>) => Stream<Request, Response>,
  requests: Iterable<Request> | AsyncIterable<Request>,
  { timeoutMs, requestId }: CallSettings,
): AsyncGenerator<IndexedAnswer<Response>, void, undefined> {
  const metadata = new Metadata();
  if (requestId !== undefined) metadata.set('x-request-id', requestId);
  const stream = open(metadata, { deadline: Date.now() + timeoutMs });
  const ended = new AbortController();
  // The loop below gets the error. This listener is for one that comes after the loop.
  stream.on('error', () => ended.abort());
  let failure: { readonly error: unknown } | undefined;
  sendAll(stream, requests, ended.signal).catch((error: unknown) => {
    if (ended.signal.aborted) return;
    failure = { error };
    stream.cancel();
  });
  try {
    const messages: AsyncIterable<ResponseMessage<Response>> = stream;
    for await (const { batch } of messages) for (const { id, outcome } of batch) yield answerOf(id, outcome);
  } catch (error) {
    if (failure !== undefined) throw failure.error;
    throw isGrpcError(error) ? new CallError(error) : error;
  } finally {
    ended.abort();
    stream.cancel();
  }
}

function answerOf<Response>(id: bigint, outcome: RequestOutcome<Response> | undefined): IndexedAnswer<Response> {
  const index = Number(id);
  if (outcome === undefined) throw new Error(`the answer to request ${index} is empty`);
  if (outcome.$case === 'result') return { index, response: outcome.value };
  return { index, error: CallError.ofCode(outcome.value) };
}

const isGrpcError = (error: unknown): error is GrpcServiceError =>
  error instanceof Error && 'code' in error && 'metadata' in error;

/** Sends a batch when it is full, and what there is when the source makes a pause. */
async function sendAll<Request, Response>(
  stream: Stream<Request, Response>,
  requests: Iterable<Request> | AsyncIterable<Request>,
  signal: AbortSignal,
): Promise<void> {
  let batch: Item<Request>[] = [];
  let index = 0;
  let pause: NodeJS.Immediate | undefined;
  const send = () => {
    clearImmediate(pause);
    pause = undefined;
    if (batch.length > 0) stream.write({ id: 0n, request: undefined, batch });
    batch = [];
  };
  try {
    for await (const request of requests) {
      if (signal.aborted) return;
      batch.push({ id: BigInt(index), request });
      index += 1;
      if (batch.length === BATCH) send();
      else pause ??= setImmediate(send);
      if (stream.writableNeedDrain) await once(stream, 'drain', { signal });
    }
    send();
    stream.end();
  } finally {
    clearImmediate(pause);
  }
}

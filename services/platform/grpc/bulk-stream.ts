import { once } from 'node:events';
import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import type { Logger } from '../process/logger.ts';
import { type CallContext, openCall } from './grpc-server.ts';
import { ServiceError, toGrpcError } from './service-error.ts';

export interface BulkStreamOptions<Request, Response> {
  /** Maximum of concurrent requests of one stream. The others wait in the caller's send window. */
  readonly maxUnderWay: number;
  /** Answers one request. An error that it throws ends the stream. */
  readonly answer: (request: Request, context: CallContext) => Promise<Response>;
  readonly logger: Logger;
}

/** The answer to one request of a stream or of a batch, as the messages of Protocol Buffers have it. */
export type RequestOutcome<Value> =
  | { readonly $case: 'result'; readonly value: Value }
  | { readonly $case: 'error'; readonly value: { readonly code: string; readonly message: string } };

/** The failure of one request is its answer, and the stream stays open. An unexpected error ends the stream. */
export async function outcomeOf<Value>(answer: () => Promise<Value>): Promise<RequestOutcome<Value>> {
  try {
    return { $case: 'result', value: await answer() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { $case: 'error', value: { code: error.code, message: error.message } };
  }
}

/** The outcomes of the items of a batch, in their order. An unexpected error is logged, and is INTERNAL for its item. */
export function outcomesOf<Item, Value>(
  items: readonly Item[],
  answer: (item: Item) => Promise<Value>,
  logger: Logger,
): Promise<{ readonly outcome: RequestOutcome<Value> }[]> {
  const answerOne = (item: Item) =>
    outcomeOf(() => answer(item)).catch((err: unknown): RequestOutcome<Value> => {
      logger.error({ err }, 'an item of a batch failed');
      return { $case: 'error', value: { code: 'INTERNAL', message: 'internal error' } };
    });
  return Promise.all(items.map(async (item) => ({ outcome: await answerOne(item) })));
}

/** A method that sends each answer of a stream as soon as it is ready, in any order. */
export function bulkStream<Request, Response>(
  options: BulkStreamOptions<Request, Response>,
): (call: ServerDuplexStream<Request, Response>) => void {
  return (call) => {
    answerAll(call, options).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) options.logger.error({ err: error }, 'stream failed');
      call.emit('error', toGrpcError(error));
    });
  };
}

async function answerAll<Request, Response>(
  call: ServerDuplexStream<Request, Response>,
  { maxUnderWay, answer }: BulkStreamOptions<Request, Response>,
): Promise<void> {
  const { context, finish } = openCall(call);
  const underWay = new Set<Promise<void>>();
  // A failure must not destroy the stream, on which its status is sent. Node types the items of every stream as `any`.
  const requests: AsyncIterable<Request> = call.iterator({ destroyOnReturn: false });
  for await (const request of requests) {
    const answered = answer(request, context).then(async (response) => {
      if (!call.writable) return;
      if (!call.write(response)) await once(call, 'drain', { signal: context.signal });
    });
    const tracked = answered.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
    if (underWay.size >= maxUnderWay) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  finish();
  call.end(new Metadata());
}

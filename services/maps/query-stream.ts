import type { ServerDuplexStream } from '@grpc/grpc-js';
import { itemStream, outcomeOf, type RequestOutcome } from '../platform/grpc/bulk-stream.ts';
import { ServiceError } from '../platform/grpc/service-error.ts';
import type { Logger } from '../platform/process/logger.ts';
import type { GeocoderOptions } from './geocoder/geocoder.ts';

/** One query of a stream, as the messages of Protocol Buffers have it. */
interface Query<Request> {
  readonly id: bigint;
  readonly request?: Request | undefined;
}

interface Answer<Response> {
  id: bigint;
  outcome: RequestOutcome<Response> | undefined;
}

/** Has one query, or a batch. */
interface RequestMessage<Request> extends Query<Request> {
  readonly batch: readonly Query<Request>[];
}

interface ResponseMessage<Response> extends Answer<Response> {
  batch: Answer<Response>[];
}

export interface QueryStreamOptions<Request, Response> {
  /** Maximum of concurrent queries of one stream. */
  readonly maxUnderWay: number;
  /** @throws {ServiceError} for a query that fails. Another error ends the stream. */
  readonly answer: (request: Request, options: GeocoderOptions) => Promise<Response>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly logger: Logger;
}

/** Most queries and answers of a message. With the longest queries, it is smaller than the 4 MiB that clients accept. */
const MAX_BATCH = 256;

/** A method that answers queries under their ids. Those of a batch are answered in batches. */
export function queryStream<Request, Response>({
  maxUnderWay,
  answer,
  now,
  logger,
}: QueryStreamOptions<Request, Response>): (
  call: ServerDuplexStream<RequestMessage<Request>, ResponseMessage<Response>>,
) => void {
  return itemStream({
    maxUnderWay,
    itemsOf: (message: RequestMessage<Request>) => {
      const atMs = now();
      const isInBatch = message.batch.length > 0;
      return queriesOf(message).map(({ id, request }) => ({ id, request, isInBatch, atMs }));
    },
    answer: async ({ id, request, isInBatch, atMs }, context) => {
      const { signal, deadlineMs } = context;
      const outcome = await outcomeOf(async () => {
        if (request === undefined) throw new ServiceError('INVALID_ARGUMENT', 'request is missing');
        return answer(request, { signal, deadlineMs, atMs, stream: context });
      });
      return { id, outcome, isInBatch };
    },
    messagesOf: (answers): readonly ResponseMessage<Response>[] => {
      const batch = answers.filter(({ isInBatch }) => isInBatch).map(({ id, outcome }) => ({ id, outcome }));
      const messages: ResponseMessage<Response>[] = [];
      for (let at = 0; at < batch.length; at += MAX_BATCH) {
        messages.push({ id: 0n, outcome: undefined, batch: batch.slice(at, at + MAX_BATCH) });
      }
      for (const { id, outcome, isInBatch } of answers) if (!isInBatch) messages.push({ id, outcome, batch: [] });
      return messages;
    },
    logger,
  });
}

/** @throws {ServiceError} INVALID_ARGUMENT */
function queriesOf<Request>({ id, request, batch }: RequestMessage<Request>): readonly Query<Request>[] {
  if (batch.length === 0) return [{ id, request }];
  if (request !== undefined) throw new ServiceError('INVALID_ARGUMENT', 'a message has either a request or a batch');
  if (batch.length > MAX_BATCH) throw new ServiceError('INVALID_ARGUMENT', `a batch has at most ${MAX_BATCH} requests`);
  return batch;
}

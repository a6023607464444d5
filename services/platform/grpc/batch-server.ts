import { once } from 'node:events';
import { Metadata, type ServerDuplexStream } from '@grpc/grpc-js';
import type { Logger } from '../process/logger.ts';
import { type CallContext, openCall, SERVER_CLOSES } from './grpc-server.ts';
import { ServiceError, toGrpcError } from './service-error.ts';

export interface BatchStreamOptions<Item, Result> {
  /** Maximum of items of a message. A larger message ends the stream. */
  readonly maxItems: number;
  /**
   * While so many items of a stream are under way, further messages wait in the caller's send window. With 1, a message is
   * read when the one before is answered.
   */
  readonly maxUnderWay: number;
  /** Called for each stream. @returns a function that starts the items of a message; their failures are their outcomes */
  readonly open: (context: CallContext) => (items: readonly Item[]) => readonly Promise<Result>[];
  readonly logger: Logger;
}

/** The outcome of one item, as the messages of Protocol Buffers have it. */
export type ItemOutcome<Result> =
  | { readonly $case: 'result'; readonly value: Result }
  | { readonly $case: 'error'; readonly value: { readonly code: string; readonly message: string } };

interface Message<Item> {
  readonly id: bigint;
  readonly items: readonly Item[];
}

interface Answer<Result> {
  id: bigint;
  outcomes: { outcome: ItemOutcome<Result> }[];
}

type BatchCall<Item, Result> = ServerDuplexStream<Message<Item>, Answer<Result>>;

/**
 * A method whose messages have several items each. A message is answered under its id when all of its items have outcomes.
 * The stream ends with OK only after every message that was read is answered, so a caller may send the others again.
 */
export function batchStream<Item, Result>(
  options: BatchStreamOptions<Item, Result>,
): (call: BatchCall<Item, Result>) => void {
  return (call) => {
    const { context, finish } = openCall(call);
    answerMessages(call, context, options).then(
      () => {
        finish();
        call.end(new Metadata());
      },
      (error: unknown) => {
        // The caller has gone, and reads no status.
        if (context.signal.aborted) return;
        if (!(error instanceof ServiceError)) options.logger.error({ err: error }, 'stream failed');
        call.emit('error', toGrpcError(error));
      },
    );
  };
}

/** Resolves when the caller has ended the stream, or the server closes, and every message that was read is answered. */
async function answerMessages<Item, Result>(
  call: BatchCall<Item, Result>,
  context: CallContext,
  { maxItems, maxUnderWay, open, logger }: BatchStreamOptions<Item, Result>,
): Promise<void> {
  const answer = open(context);
  let underWay = 0;
  let isClosing = false;
  let drained: Promise<unknown> | undefined;
  let failure: { readonly error: unknown } | undefined;
  let wake = () => {};
  const fail = (error: unknown) => {
    failure ??= { error };
    wake();
  };
  context.signal.addEventListener('abort', () => fail(context.signal.reason), { once: true });
  call.once(SERVER_CLOSES, () => {
    isClosing = true;
    wake();
  });
  // The iterator of a stream would destroy it at the first failure, before the status is sent.
  for (const event of ['readable', 'end', 'close']) call.on(event, () => wake());

  async function run({ id, items }: Message<Item>): Promise<void> {
    const outcomes = await Promise.all(answer(items).map((result) => outcomeOf(result, logger)));
    // While the caller does not read, its next messages are not read either.
    if (call.writable && !call.write({ id, outcomes })) drained ??= once(call, 'drain', { signal: context.signal });
    await drained;
    drained = undefined;
    underWay -= Math.max(items.length, 1);
    wake();
  }

  for (;;) {
    if (failure !== undefined) throw failure.error;
    const isOver = isClosing || call.readableEnded;
    if (isOver && underWay === 0) return;
    const message: Message<Item> | null = isOver || underWay >= maxUnderWay ? null : call.read();
    if (message === null) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    } else if (message.items.length > maxItems) {
      throw new ServiceError('INVALID_ARGUMENT', `a message has at most ${maxItems} items`);
    } else {
      underWay += Math.max(message.items.length, 1);
      run(message).catch(fail);
    }
  }
}

async function outcomeOf<Result>(result: Promise<Result>, logger: Logger): Promise<{ outcome: ItemOutcome<Result> }> {
  try {
    return { outcome: { $case: 'result', value: await result } };
  } catch (error) {
    if (!(error instanceof ServiceError)) logger.error({ err: error }, 'an item of a stream failed');
    const { code, message } = error instanceof ServiceError ? error : INTERNAL;
    return { outcome: { $case: 'error', value: { code, message } } };
  }
}

const INTERNAL = { code: 'INTERNAL', message: 'internal error' } as const;

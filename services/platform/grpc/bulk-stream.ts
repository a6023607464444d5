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

/** A stream whose messages have several items each. */
export interface ItemStreamOptions<Request, Response, Item, Answer> {
  /** Maximum of concurrent items of one stream. The others wait, and with them the messages that follow. */
  readonly maxUnderWay: number;
  /** The items of a message. An error that it throws ends the stream. */
  readonly itemsOf: (message: Request) => readonly Item[];
  /** Answers one item. An error that it throws ends the stream. */
  readonly answer: (item: Item, context: CallContext) => Promise<Answer>;
  /** The messages for answers that are ready at the same time. */
  readonly messagesOf: (answers: readonly Answer[]) => readonly Response[];
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

type StreamHandler<Request, Response> = (call: ServerDuplexStream<Request, Response>) => void;

/** A method that sends each answer of a stream as soon as it is ready, in any order. */
export function bulkStream<Request, Response>(
  options: BulkStreamOptions<Request, Response>,
): StreamHandler<Request, Response> {
  return itemStream({ ...options, itemsOf: (message) => [message], messagesOf: (answers) => answers });
}

/** A method like `bulkStream`, whose messages have several items. */
export function itemStream<Request, Response, Item, Answer>(
  options: ItemStreamOptions<Request, Response, Item, Answer>,
): StreamHandler<Request, Response> {
  return (call) => {
    const { context, finish } = openCall(call);
    answerItems(call, context, options).then(
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

/** Resolves when every item is answered and sent. */
async function answerItems<Request, Response, Item, Answer>(
  call: ServerDuplexStream<Request, Response>,
  context: CallContext,
  { maxUnderWay, itemsOf, answer, messagesOf }: ItemStreamOptions<Request, Response, Item, Answer>,
): Promise<void> {
  const underWay = new UnderWay();
  const outbox = new Outbox(call, messagesOf, (items) => underWay.end(items));
  context.signal.addEventListener('abort', () => underWay.fail(context.signal.reason), { once: true });
  // The iterator of a stream would destroy it at the first failure, before the status is sent.
  for (const event of ['readable', 'end', 'close']) call.on(event, () => underWay.wake());
  while (!call.readableEnded) {
    const message: Request | null = call.read();
    if (message === null) await underWay.change();
    else {
      for (const item of itemsOf(message)) {
        await underWay.untilBelow(maxUnderWay);
        underWay.begin();
        answer(item, context).then(
          (value) => outbox.add(value),
          (error: unknown) => underWay.fail(error),
        );
      }
    }
  }
  await underWay.untilBelow(1);
}

/** The items of a stream that are not answered and sent yet. One reader waits for changes. */
class UnderWay {
  #items = 0;
  #failure: { readonly error: unknown } | undefined;
  #wake = () => {};

  begin(): void {
    this.#items += 1;
  }

  end(items: number): void {
    this.#items -= items;
    this.wake();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    this.wake();
  }

  wake(): void {
    this.#wake();
  }

  /** Resolves at the next `wake`. @throws the first failure */
  async change(): Promise<void> {
    if (this.#failure === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** @throws the first failure */
  async untilBelow(items: number): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    while (this.#items >= items) await this.change();
  }
}

type AnswerStream<Response> = Pick<ServerDuplexStream<unknown, Response>, 'writable' | 'write' | 'once'>;

/** Sends the answers that one turn of the event loop brings. While the caller does not read, answers wait here. */
class Outbox<Response, Answer> {
  readonly #call: AnswerStream<Response>;
  readonly #messagesOf: (answers: readonly Answer[]) => readonly Response[];
  readonly #onSent: (answers: number) => void;
  #answers: Answer[] = [];
  #isWaiting = false;

  constructor(
    call: AnswerStream<Response>,
    messagesOf: (answers: readonly Answer[]) => readonly Response[],
    onSent: (answers: number) => void,
  ) {
    this.#call = call;
    this.#messagesOf = messagesOf;
    this.#onSent = onSent;
  }

  add(answer: Answer): void {
    this.#answers.push(answer);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isWaiting || this.#answers.length === 0) return;
    this.#isWaiting = true;
    setImmediate(() => this.#send());
  }

  #send(): void {
    const answers = this.#answers;
    this.#answers = [];
    const call = this.#call;
    if (!call.writable) return;
    const isTaken = this.#messagesOf(answers).reduce((_, message) => call.write(message), true);
    const goOn = () => {
      this.#isWaiting = false;
      this.#onSent(answers.length);
      this.#schedule();
    };
    if (isTaken) goOn();
    else call.once('drain', goOn);
  }
}

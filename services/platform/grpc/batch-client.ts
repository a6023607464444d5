import { type ClientDuplexStream, type ServiceError as GrpcServiceError, status } from '@grpc/grpc-js';
import { createBatcher } from '../batcher.ts';
import { startDeadlineTimer } from '../deadline-timer.ts';
import type { ItemOutcome } from './batch-server.ts';
import { CallError } from './grpc-client.ts';

type Outcomes<Result> = readonly { readonly outcome?: ItemOutcome<Result> | undefined }[];

export type BatchCall<Message, Result> = ClientDuplexStream<
  { id: bigint; items: Message[] },
  { readonly id: bigint; readonly outcomes: Outcomes<Result> }
>;

export interface BatchClientOptions<Item, Message, Result> {
  readonly open: () => BatchCall<Message, Result>;
  /** Called each time the item is sent. */
  readonly toMessage: (item: Item) => Message;
  /** Absent for small items, whose number bounds a message. */
  readonly bytesOf?: (item: Item) => number;
  /** Items of a message. */
  readonly maxItems: number;
  /** Messages under way at the same time, each on a stream of its own. A large item does not count. */
  readonly maxInFlight: number;
  readonly lifetimeMs?: number;
}

export interface BatchClient<Item, Result> {
  /** @throws {CallError} */
  send(item: Item, timeoutMs: number): Promise<Result>;
  close(): void;
}

/** A larger item is sent alone and at once: its own work is far more than the work of a message. */
export const LARGE_BYTES = 64 * 1024;
const MAX_BYTES = 512 * 1024;
/** New streams go to the copies of a service in turn, so that all of them get work. */
const LIFETIME_MS = 30_000;

interface Timed<Item> {
  readonly item: Item;
  readonly timeoutMs: number;
}

/**
 * Sends items that wait at the same time in one message, on streams that are kept open: a message on an open stream costs a
 * small part of a call. A message has the longest time limit of its items, and no request id: the items have their own.
 */
export function createBatchClient<Item, Message, Result>({
  open,
  toMessage,
  bytesOf = () => 0,
  maxItems,
  maxInFlight,
  lifetimeMs = LIFETIME_MS,
}: BatchClientOptions<Item, Message, Result>): BatchClient<Item, Result> {
  const streams = new Set<BatchStream<Message, Result>>();
  const free: BatchStream<Message, Result>[] = [];

  function take(): BatchStream<Message, Result> {
    for (let stream = free.pop(); stream !== undefined; stream = free.pop()) if (stream.isOpen()) return stream;
    const stream = openStream(open(), lifetimeMs, () => streams.delete(stream));
    streams.add(stream);
    return stream;
  }

  async function send(entries: readonly Timed<Item>[]): Promise<readonly Promise<Result>[]> {
    const endMs = performance.now() + Math.max(...entries.map(({ timeoutMs }) => timeoutMs));
    for (;;) {
      const stream = take();
      const messages = entries.map(({ item }) => toMessage(item));
      const outcomes = await stream.ask(messages, Math.max(0, endMs - performance.now()));
      if (stream.isOpen()) free.push(stream);
      if (outcomes !== 'not read') return outcomes.map(({ outcome }) => resultOf(outcome));
    }
  }

  const sendTogether = createBatcher<Timed<Item>, Result>({
    send,
    maxItems,
    bytes: { of: ({ item }) => bytesOf(item), max: MAX_BYTES },
    lanes: maxInFlight,
  });
  const sendAlone = createBatcher<Timed<Item>, Result>({ send, maxItems: 1, lanes: Number.POSITIVE_INFINITY });
  return {
    send: (item, timeoutMs) => (bytesOf(item) > LARGE_BYTES ? sendAlone : sendTogether)({ item, timeoutMs }),
    close() {
      for (const stream of streams) stream.cancel();
    },
  };
}

async function resultOf<Result>(outcome: ItemOutcome<Result> | undefined): Promise<Result> {
  if (outcome === undefined) throw new Error('an outcome is empty');
  if (outcome.$case === 'error') throw CallError.ofCode(outcome.value);
  return outcome.value;
}

/** Has one message under way, so that to cancel a late message harms no other. */
interface BatchStream<Message, Result> {
  /** Whether a message may still be sent. */
  isOpen(): boolean;
  /** @returns `not read` if the service ended the stream before it read the message. @throws {CallError} */
  ask(items: Message[], timeoutMs: number): Promise<Outcomes<Result> | 'not read'>;
  cancel(): void;
}

function openStream<Message, Result>(
  call: BatchCall<Message, Result>,
  lifetimeMs: number,
  onOver: () => void,
): BatchStream<Message, Result> {
  let waiting: PromiseWithResolvers<Outcomes<Result> | 'not read'> | undefined;
  let id = 0n;
  let isOpen = true;

  function settle(): PromiseWithResolvers<Outcomes<Result> | 'not read'> | undefined {
    const settled = waiting;
    waiting = undefined;
    if (!isOpen) call.end();
    return settled;
  }
  const lifetime = setTimeout(() => {
    isOpen = false;
    if (waiting === undefined) call.end();
  }, lifetimeMs);
  const over = () => {
    isOpen = false;
    clearTimeout(lifetime);
    onOver();
    return settle();
  };
  const abandon = (error: Error) => {
    over()?.reject(error);
    call.cancel();
  };
  call.on('data', (answer: { readonly id: bigint; readonly outcomes: Outcomes<Result> }) => {
    if (waiting !== undefined && answer.id === id) settle()?.resolve(answer.outcomes);
    else abandon(new Error(`an answer to message ${answer.id}, which was not asked`));
  });
  call.on('error', (error: GrpcServiceError) => over()?.reject(new CallError(error)));
  // The status is OK. So the service has answered every message that it read.
  call.on('end', () => over()?.resolve('not read'));

  return {
    isOpen: () => isOpen,
    ask(items, timeoutMs) {
      waiting = Promise.withResolvers();
      const { promise } = waiting;
      id += 1n;
      const timer = startDeadlineTimer(
        () => abandon(CallError.ofStatus(status.DEADLINE_EXCEEDED, `no answer within ${Math.round(timeoutMs)} ms`)),
        timeoutMs,
      );
      call.write({ id, items });
      return promise.finally(() => clearTimeout(timer));
    },
    cancel: () => call.cancel(),
  };
}

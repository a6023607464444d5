import { status } from '@grpc/grpc-js';
import { defined } from '../../../workers/exact/defined.ts';
import type { RequestOutcome } from './bulk-stream.ts';
import { CallError, type CallSettings } from './grpc-client.ts';

export interface BatcherOptions<Item, Result> {
  /** A call for one item. Absent: a large item is a message of its own. */
  readonly sendOne?: (item: Item, settings: CallSettings) => Promise<Result>;
  /** @returns the outcome of each item, in their order */
  readonly sendBatch: (
    items: readonly Item[],
    settings: CallSettings,
  ) => Promise<readonly { readonly outcome?: RequestOutcome<Result> | undefined }[]>;
  readonly bytesOf: (item: Item) => number;
  /** Messages that are under way at the same time. Items wait while there are so many. */
  readonly maxInFlight: number;
}

/** A larger item is sent alone: its own work is far more than the work of a call. */
const LARGE_BYTES = 64 * 1024;
const MAX_ITEMS = 64;
const MAX_BYTES = 512 * 1024;

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly settings: CallSettings;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends items that wait at the same time in one message, because for small items most of the cost of a call is around it.
 * An item that finds nothing under way is sent at once. A batch has the longest time limit of its items, and no request
 * id: the items have their own.
 * @returns a function that sends an item. It throws `CallError`.
 */
export function createBatcher<Item, Result>(
  options: BatcherOptions<Item, Result>,
): (item: Item, settings: CallSettings) => Promise<Result> {
  const { bytesOf, maxInFlight } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || inFlight >= maxInFlight) return;
    isScheduled = true;
    // What else this turn of the event loop brings goes into the same message.
    setImmediate(() => {
      isScheduled = false;
      inFlight += 1;
      void send(options, takeBatch()).finally(() => {
        inFlight -= 1;
        schedule();
      });
      schedule();
    });
  }

  function takeBatch(): readonly Waiting<Item, Result>[] {
    let bytes = 0;
    const end = waiting.findIndex(({ item }, index) => {
      bytes += bytesOf(item);
      return index === MAX_ITEMS || bytes > MAX_BYTES;
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  return (item, settings) =>
    new Promise((resolve, reject) => {
      const entry = { item, settings, resolve, reject };
      if (bytesOf(item) > LARGE_BYTES) {
        void sendAlone(options, entry);
        return;
      }
      waiting.push(entry);
      schedule();
    });
}

async function sendAlone<Item, Result>(
  options: BatcherOptions<Item, Result>,
  entry: Waiting<Item, Result>,
): Promise<void> {
  if (options.sendOne === undefined) await send(options, [entry]);
  else await options.sendOne(entry.item, entry.settings).then(entry.resolve, entry.reject);
}

async function send<Item, Result>(
  options: BatcherOptions<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  const timeoutMs = Math.max(...batch.map(({ settings }) => settings.timeoutMs));
  try {
    const outcomes = await options.sendBatch(
      batch.map(({ item }) => item),
      { timeoutMs },
    );
    if (outcomes.length !== batch.length) throw new Error(`${outcomes.length} outcomes of ${batch.length} items`);
    for (const [index, { outcome }] of outcomes.entries()) settle(defined(batch[index]), outcome);
  } catch (error) {
    // A service of an earlier release has no such method. It has done nothing.
    const isRepeated = options.sendOne !== undefined && isUnimplemented(error);
    if (isRepeated) await Promise.all(batch.map((entry) => sendAlone(options, entry)));
    else for (const { reject } of batch) reject(error);
  }
}

const isUnimplemented = (error: unknown): boolean =>
  error instanceof CallError && error.status === status.UNIMPLEMENTED;

function settle<Result>(
  { resolve, reject }: Pick<Waiting<never, Result>, 'resolve' | 'reject'>,
  outcome: RequestOutcome<Result> | undefined,
): void {
  if (outcome?.$case === 'result') resolve(outcome.value);
  else if (outcome === undefined) reject(new Error('an outcome is empty'));
  else reject(CallError.ofCode(outcome.value));
}

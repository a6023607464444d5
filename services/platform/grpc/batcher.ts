import { status } from '@grpc/grpc-js';
import { defined } from '../../../workers/exact/defined.ts';
import type { RequestOutcome } from './bulk-stream.ts';
import { CallError, type CallSettings } from './grpc-client.ts';

export interface BatcherOptions<Item, Result> {
  readonly sendOne: (item: Item, settings: CallSettings) => Promise<Result>;
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
  const { sendOne, bytesOf, maxInFlight } = options;
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

  return (item, settings) => {
    if (bytesOf(item) > LARGE_BYTES) return sendOne(item, settings);
    return new Promise((resolve, reject) => {
      waiting.push({ item, settings, resolve, reject });
      schedule();
    });
  };
}

async function send<Item, Result>(
  { sendOne, sendBatch }: BatcherOptions<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  const sendAlone = ({ item, settings, resolve, reject }: Waiting<Item, Result>) =>
    sendOne(item, settings).then(resolve, reject);
  const timeoutMs = Math.max(...batch.map(({ settings }) => settings.timeoutMs));
  try {
    const outcomes = await sendBatch(
      batch.map(({ item }) => item),
      { timeoutMs },
    );
    if (outcomes.length !== batch.length) throw new Error(`${outcomes.length} outcomes of ${batch.length} items`);
    for (const [index, { outcome }] of outcomes.entries()) settle(defined(batch[index]), outcome);
  } catch (error) {
    // A service of an earlier release has no such method. It has done nothing.
    if (isUnimplemented(error)) await Promise.all(batch.map(sendAlone));
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

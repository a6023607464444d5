import { deliver, type Send, type Waiting } from './batch.ts';

export interface WindowedBatchOptions<Item, Answer> {
  readonly send: Send<Item, Answer>;
  readonly maxItems: number;
  /** Longest wait of an item while another batch is under way. */
  readonly windowMs: number;
}

/**
 * Sends the items that wait at the same time together. An item that finds nothing under way goes at once, with the others
 * of its turn of the event loop. While a batch is under way, items wait until one ends, until `maxItems` wait, or for
 * `windowMs`.
 */
export function createWindowedBatch<Item, Answer>(
  options: WindowedBatchOptions<Item, Answer>,
): (item: Item) => Promise<Answer> {
  const { send, maxItems, windowMs } = options;
  const waiting: Waiting<Item, Answer>[] = [];
  let underWay = 0;
  let isScheduled = false;
  let window: NodeJS.Timeout | undefined;

  function flush(): void {
    isScheduled = false;
    clearTimeout(window);
    window = undefined;
    while (waiting.length > 0) {
      underWay += 1;
      void deliver(send, waiting.splice(0, maxItems)).finally(() => {
        underWay -= 1;
        scheduleNow();
      });
    }
  }

  function scheduleNow(): void {
    if (isScheduled || waiting.length === 0) return;
    isScheduled = true;
    setImmediate(flush);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (underWay === 0 || waiting.length >= maxItems) scheduleNow();
      else window ??= setTimeout(flush, windowMs);
    });
}

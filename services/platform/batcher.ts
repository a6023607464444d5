import { defined } from '../../workers/exact/defined.ts';

/** Answers items in their order, or fails for all of them. An answer that is a promise may fail alone. */
export type Send<Item, Answer> = (items: readonly Item[]) => Promise<readonly (Answer | Promise<Answer>)[]>;

export interface BatcherOptions<Item, Answer> {
  readonly send: Send<Item, Answer>;
  readonly maxItems: number;
  /** Bytes of a batch; unlimited by default. A larger item is sent alone. */
  readonly bytes?: { readonly of: (item: Item) => number; readonly max: number };
  /** Items with a key in common do not share a batch. With one lane, they are sent one after the other. */
  readonly keysOf?: (item: Item) => readonly string[];
  /** Batches under way at the same time; one by default. */
  readonly lanes?: number;
  /**
   * The lanes are threads: what waits is spread evenly over the free ones, and a thread gets its next batch before the
   * answers to the last one are used.
   */
  readonly feedsThreads?: boolean;
  /** Items go beside the batches under way when `maxItems` wait, or one has waited for this time. By default never. */
  readonly windowMs?: number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer | Promise<Answer>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends items together that wait at the same time, because most of the cost of a small message or commit does not depend on
 * its size. An item that finds a free lane goes at the end of this turn of the event loop, with the others of that turn.
 */
export function createBatcher<Item, Answer>({
  send,
  maxItems,
  bytes = { of: () => 0, max: Number.POSITIVE_INFINITY },
  keysOf = () => [],
  lanes = 1,
  feedsThreads = false,
  windowMs,
}: BatcherOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const waiting: Waiting<Item, Answer>[] = [];
  let underWay = 0;
  let isScheduled = false;
  let window: NodeJS.Timeout | undefined;

  function schedule(): void {
    if (isScheduled || waiting.length === 0) return;
    if (underWay < lanes || (windowMs !== undefined && waiting.length >= maxItems)) {
      isScheduled = true;
      setImmediate(start);
    } else if (windowMs !== undefined) window ??= setTimeout(start, windowMs);
  }

  function start(): void {
    isScheduled = false;
    clearTimeout(window);
    window = undefined;
    while (waiting.length > 0 && (underWay < lanes || windowMs !== undefined)) {
      const batch = takeBatch();
      underWay += 1;
      void deliver(batch);
    }
  }

  async function deliver(batch: readonly Waiting<Item, Answer>[]): Promise<void> {
    const settle = await answersTo(batch).then(
      (answers) => () => {
        for (const [index, answer] of answers.entries()) defined(batch[index]).resolve(answer);
      },
      (error: unknown) => () => {
        for (const { reject } of batch) reject(error);
      },
    );
    underWay -= 1;
    if (feedsThreads) start();
    else schedule();
    settle();
  }

  async function answersTo(batch: readonly Waiting<Item, Answer>[]) {
    const answers = await send(batch.map(({ item }) => item));
    if (answers.length !== batch.length) throw new Error(`${answers.length} answers to ${batch.length} items`);
    return answers;
  }

  function takeBatch(): readonly Waiting<Item, Answer>[] {
    const most = feedsThreads ? Math.min(maxItems, Math.ceil(waiting.length / (lanes - underWay))) : maxItems;
    const keys = new Set<string>();
    let size = 0;
    const end = waiting.findIndex(({ item }, index) => {
      size += bytes.of(item);
      const own = keysOf(item);
      if (index === most || (index > 0 && size > bytes.max) || own.some((key) => keys.has(key))) return true;
      for (const key of own) keys.add(key);
      return false;
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}

import { defined } from '../../workers/exact/defined.ts';

/** Limit of a batch: Redis does nothing else while it executes one. */
const MOST_ITEMS = 100;

export interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Takes items and returns their answers in the same order, or fails for all of them. */
export type Send<Item, Answer> = (items: readonly Item[]) => Promise<readonly Answer[]>;

/** Sends items together, and gives each its answer. Never rejects. */
export async function deliver<Item, Answer>(
  send: Send<Item, Answer>,
  batch: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await send(batch.map(({ item }) => item));
    if (answers.length !== batch.length) throw new Error(`${answers.length} answers to ${batch.length} items`);
    for (const [index, answer] of answers.entries()) defined(batch[index]).resolve(answer);
  } catch (error) {
    for (const { reject } of batch) reject(error);
  }
}

/**
 * Sends the items of one turn of the event loop together, like a group commit. A single item does not wait, and under
 * load one call serves many items.
 * @param send takes up to 100 items
 */
export function createBatch<Item, Answer>(send: Send<Item, Answer>): (item: Item) => Promise<Answer> {
  let waiting: Waiting<Item, Answer>[] = [];

  function flush(): void {
    const all = waiting;
    waiting = [];
    for (let at = 0; at < all.length; at += MOST_ITEMS) void deliver(send, all.slice(at, at + MOST_ITEMS));
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ item, resolve, reject });
    });
}

import { type BatcherOptions, createBatcher } from '../../platform/batcher.ts';
import { isDeadlock, isItemFault } from './ledger-errors.ts';

type SettledBatchOptions<Item, Answer> = Partial<Omit<BatcherOptions<Item, Answer>, 'send'>> & {
  /** One statement. It answers for each item, or fails for all. */
  readonly send: (items: readonly Item[]) => Promise<readonly Answer[]>;
};

const MAX_ITEMS = 64;
/** An item that waits for a lock must not hold up the others. */
const LANES_ALONE = 2;

/**
 * Sends items in batches. A fault of one item does not fail the others: the batch is repeated item by item. A deadlock is
 * repeated once. Both are safe because the server has rolled the batch back.
 */
export function createSettledBatch<Item, Answer>({
  send,
  ...options
}: SettledBatchOptions<Item, Answer>): (item: Item) => Promise<Answer> {
  const sendTwice = async (items: readonly Item[]): Promise<readonly Answer[]> => {
    try {
      return await send(items);
    } catch (error) {
      if (!isDeadlock(error)) throw error;
      return await send(items);
    }
  };
  const sendAlone = createBatcher<Item, Answer>({ send: sendTwice, maxItems: 1, lanes: LANES_ALONE });
  return createBatcher<Item, Answer>({
    maxItems: MAX_ITEMS,
    ...options,
    async send(items) {
      try {
        return await sendTwice(items);
      } catch (error) {
        if (items.length === 1 || !isItemFault(error)) throw error;
      }
      const answers = items.map(sendAlone);
      // The batch is under way until the last of its items is settled.
      await Promise.allSettled(answers);
      return answers;
    },
  });
}

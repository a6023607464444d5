import type { Send } from '../../platform/batch.ts';
import { createGroupCommit } from '../../platform/group-commit.ts';
import { isDeadlock, isItemFault } from './ledger-errors.ts';

type Settled<Answer> = { readonly answer: Answer } | { readonly error: unknown };

export interface SettledBatchOptions<Item, Answer> {
  /** One statement. It answers for each item, or fails for all. */
  readonly send: Send<Item, Answer>;
  /** Items with a key in common do not share a batch. */
  readonly keysOf?: (item: Item) => readonly string[];
  readonly maxItems: number;
  readonly maxBytes: number;
  readonly lanes?: number;
}

/**
 * Sends items in batches. A fault of one item does not fail the others: the batch is repeated item by item. A deadlock is
 * repeated once. Both are safe because the server has rolled the batch back.
 */
export function createSettledBatch<Item, Answer>({
  send,
  ...limits
}: SettledBatchOptions<Item, Answer>): (item: Item, sizeBytes: number) => Promise<Answer> {
  const add = createGroupCommit({ ...limits, commit: (items: readonly Item[]) => settle(send, items) });
  return async (item, sizeBytes) => {
    const settled = await add(item, sizeBytes);
    if ('error' in settled) throw settled.error;
    return settled.answer;
  };
}

async function settle<Item, Answer>(
  send: Send<Item, Answer>,
  items: readonly Item[],
): Promise<readonly Settled<Answer>[]> {
  try {
    return (await sendTwice(send, items)).map((answer) => ({ answer }));
  } catch (error) {
    if (items.length === 1 || !isItemFault(error)) return items.map(() => ({ error }));
  }
  const settled: Settled<Answer>[] = [];
  for (const item of items) settled.push(...(await settle(send, [item])));
  return settled;
}

async function sendTwice<Item, Answer>(send: Send<Item, Answer>, items: readonly Item[]): Promise<readonly Answer[]> {
  try {
    return await send(items);
  } catch (error) {
    if (!isDeadlock(error)) throw error;
    return await send(items);
  }
}

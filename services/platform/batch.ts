import { defined } from '../../workers/exact/defined.ts';

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

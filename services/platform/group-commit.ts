import { defined } from '../../workers/exact/defined.ts';

export interface GroupCommitOptions<Item, Answer> {
  /** Takes the items of a group and returns their answers in the same order, or fails for all of them. */
  readonly send: (items: readonly Item[]) => Promise<readonly Answer[]>;
  readonly maxItems: number;
  /** Longest wait of an item while another group is under way. */
  readonly windowMs: number;
}

interface Waiting<Item, Answer> {
  readonly item: Item;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Sends the items that wait at the same time together. An item that finds nothing under way goes at once, with the others
 * of its turn of the event loop. While a group is under way, items wait until a group ends, until `maxItems` wait, or for
 * `windowMs`.
 */
export function createGroupCommit<Item, Answer>(
  options: GroupCommitOptions<Item, Answer>,
): (item: Item) => Promise<Answer> {
  const { maxItems, windowMs } = options;
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
      void deliver(options, waiting.splice(0, maxItems)).finally(() => {
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

async function deliver<Item, Answer>(
  { send }: GroupCommitOptions<Item, Answer>,
  group: readonly Waiting<Item, Answer>[],
): Promise<void> {
  try {
    const answers = await send(group.map(({ item }) => item));
    if (answers.length !== group.length) throw new Error(`${answers.length} answers to ${group.length} items`);
    for (const [index, answer] of answers.entries()) defined(group[index]).resolve(answer);
  } catch (error) {
    for (const { reject } of group) reject(error);
  }
}

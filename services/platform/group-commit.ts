import { deliver, type Send, type Waiting } from './batch.ts';

export interface GroupCommitOptions<Item, Outcome> {
  /** Commits all items, or none. */
  readonly commit: Send<Item, Outcome>;
  /** Items that are committed together. */
  readonly maxItems: number;
  /** Bytes that are committed together. A larger item is committed alone. */
  readonly maxBytes: number;
  /** Items with a key in common are committed one after the other. Absent: none has. */
  readonly keysOf?: ((item: Item) => readonly string[]) | undefined;
  /** Commits under way at the same time. If items have keys: one. By default one. */
  readonly lanes?: number | undefined;
}

interface Sized<Item, Outcome> extends Waiting<Item, Outcome> {
  readonly sizeBytes: number;
}

/**
 * Commits items in groups. Items that arrive in one turn of the event loop, or during a commit, go together, because a
 * commit costs one flush of the disk, regardless of its size. The promise resolves once the item is committed.
 */
export function createGroupCommit<Item, Outcome>({
  commit,
  maxItems,
  maxBytes,
  keysOf = () => [],
  lanes = 1,
}: GroupCommitOptions<Item, Outcome>): (item: Item, sizeBytes: number) => Promise<Outcome> {
  const waiting: Sized<Item, Outcome>[] = [];
  let underWay = 0;

  function takeBatch(): readonly Sized<Item, Outcome>[] {
    let bytes = 0;
    const taken = new Set<string>();
    const end = waiting.findIndex(({ item, sizeBytes }, index) => {
      bytes += sizeBytes;
      const keys = keysOf(item);
      if (index === maxItems || (index > 0 && bytes > maxBytes) || keys.some((key) => taken.has(key))) return true;
      for (const key of keys) taken.add(key);
      return false;
    });
    return waiting.splice(0, end === -1 ? waiting.length : end);
  }

  async function commitWaiting(): Promise<void> {
    underWay += 1;
    await endOfTurn();
    while (waiting.length > 0) {
      await deliver(commit, takeBatch());
      await endOfTurn();
    }
    underWay -= 1;
  }

  return (item, sizeBytes) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, sizeBytes, resolve, reject });
      if (underWay < lanes) void commitWaiting();
    });
}

const endOfTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

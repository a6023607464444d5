/** Items that wait, by client. Clients take turns, so one with many items does not keep another one out. */
export interface FairQueue<Item> {
  readonly size: number;
  sizeOf(client: string): number;
  /** Number of clients that wait. */
  readonly clients: number;
  add(client: string, item: Item): void;
  /** Removes the oldest item of the client whose turn it is. */
  take(): Item | undefined;
  /** Removes an item. @returns whether it was there */
  remove(client: string, item: Item): boolean;
}

export function createFairQueue<Item>(): FairQueue<Item> {
  /** In the order of turns: a client that was served goes to the end. */
  const queues = new Map<string, Set<Item>>();
  let size = 0;

  function remove(client: string, item: Item): boolean {
    const queue = queues.get(client);
    if (queue === undefined || !queue.delete(item)) return false;
    size -= 1;
    if (queue.size === 0) queues.delete(client);
    return true;
  }

  return {
    get size() {
      return size;
    },
    get clients() {
      return queues.size;
    },
    sizeOf: (client) => queues.get(client)?.size ?? 0,
    add(client, item) {
      const queue = queues.get(client) ?? new Set<Item>();
      queues.set(client, queue.add(item));
      size += 1;
    },
    take() {
      for (const [client, queue] of queues) {
        for (const item of queue) {
          remove(client, item);
          if (queue.size > 0) {
            queues.delete(client);
            queues.set(client, queue);
          }
          return item;
        }
      }
      return undefined;
    },
    remove,
  };
}

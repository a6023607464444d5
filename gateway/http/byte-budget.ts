/** Bytes that are held in memory for clients, up to a limit for all clients and half of it for each. */
export interface ByteBudget {
  /** Whether there is room for these bytes now. */
  hasRoom(client: string, bytes: number): boolean;
  /** Takes the bytes, or returns them if the number is negative. */
  take(client: string, bytes: number): void;
}

/** No client alone can use up the budget and so keep the others out. */
export function createByteBudget(maxBytes: number): ByteBudget {
  const maxBytesPerClient = maxBytes / 2;
  const held = new Map<string, number>();
  let total = 0;
  const heldFor = (client: string) => held.get(client) ?? 0;
  return {
    hasRoom: (client, bytes) => total + bytes <= maxBytes && heldFor(client) + bytes <= maxBytesPerClient,
    take(client, bytes) {
      const left = heldFor(client) + bytes;
      if (left < 0) throw new RangeError(`${client} returns more than it took`);
      total += bytes;
      if (left === 0) held.delete(client);
      else held.set(client, left);
    },
  };
}

import type { Hex } from 'viem';

export type WaitingTimes = ReturnType<typeof createWaitingTimes>;

/** A transaction that is never asked for again stays in the list. The oldest makes room. */
const MAX_KNOWN = 10_000;

/** How long transactions have been waiting to be mined, as far as this process has seen it. */
export function createWaitingTimes(now: () => number) {
  const seenMs = new Map<Hex, number>();
  return {
    /** Milliseconds since the first call for this transaction. */
    sinceFirstSeen(hash: Hex): number {
      const firstMs = seenMs.get(hash) ?? now();
      seenMs.set(hash, firstMs);
      const [oldest] = seenMs.keys();
      if (seenMs.size > MAX_KNOWN && oldest !== undefined) seenMs.delete(oldest);
      return now() - firstMs;
    },
    forget: (hash: Hex): void => {
      seenMs.delete(hash);
    },
  };
}

import type { Hex } from 'viem';

/** How long transactions have been waiting to be mined, as far as this process has seen it. */
export interface WaitingTimes {
  /** Milliseconds since the first call for this transaction. */
  sinceFirstSeen(hash: Hex): number;
  forget(hash: Hex): void;
}

/** A transaction that is never asked for again stays in the list. The oldest makes room. */
const MAX_KNOWN = 10_000;

export function createWaitingTimes(now: () => number): WaitingTimes {
  const seenMs = new Map<Hex, number>();
  return {
    sinceFirstSeen(hash) {
      const firstMs = seenMs.get(hash) ?? now();
      seenMs.set(hash, firstMs);
      const [oldest] = seenMs.keys();
      if (seenMs.size > MAX_KNOWN && oldest !== undefined) seenMs.delete(oldest);
      return now() - firstMs;
    },
    forget: (hash) => {
      seenMs.delete(hash);
    },
  };
}

import type { Claims, PaymentKey, Watch } from './claims.ts';

export interface Caller {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** What is left of the caller's time for the answer to travel. */
const REPLY_MS = 1000;
/** For callers without a deadline. */
const LONGEST_WAIT_MS = 30_000;
/** A lease that ends says nothing, and a message may be lost: look again by oneself. */
const LOOK_AGAIN_MS = 500;

export interface WaitOptions<T> {
  readonly claims: Claims;
  readonly key: PaymentKey;
  readonly caller: Caller;
  readonly now: () => number;
  /** Takes one of the few places; those who already did the work do not queue. */
  readonly queue: boolean;
  readonly look: () => Promise<T | 'again' | 'wait'>;
}

/**
 * Looks until there is an outcome, waiting for changes of the claim in between.
 * @returns undefined when the caller's time is over, or as many as may wait do so already.
 */
export async function waitForClaim<T>({
  claims,
  key,
  caller,
  now,
  queue,
  look,
}: WaitOptions<T>): Promise<T | undefined> {
  const untilMs = Math.min(caller.deadlineMs - REPLY_MS, now() + LONGEST_WAIT_MS);
  let leave: (() => Promise<void>) | undefined;
  let watch: Watch | undefined;
  try {
    for (;;) {
      const found = await look();
      if (found !== 'again' && found !== 'wait') return found;
      const leftMs = untilMs - now();
      if (leftMs <= 0 || caller.signal.aborted) return undefined;
      if (found === 'again') continue;
      if (watch !== undefined) {
        await watch.changed(Math.min(leftMs, LOOK_AGAIN_MS));
        continue;
      }
      if (queue) {
        leave = await claims.enterQueue(key, leftMs);
        if (leave === undefined) return undefined;
      }
      // What changed before it was watched is seen by one more look.
      watch = await claims.watch(key);
    }
  } finally {
    await Promise.all([leave?.(), watch?.close()]);
  }
}

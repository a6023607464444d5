import type { Claims, PaymentKey, Watch } from './claims.ts';

export interface Caller {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Part of the caller's time that is left for the answer to arrive. */
const REPLY_MS = 1000;
/** Longest wait of callers without a deadline. */
const LONGEST_WAIT_MS = 30_000;
/** Longest wait for a message. A lease that ends sends none, and a message may be lost. */
const RETRY_MS = 500;

export interface WaitOptions<T> {
  readonly claims: Claims;
  readonly key: PaymentKey;
  readonly caller: Caller;
  readonly now: () => number;
  /** Whether to take one of the few places. A caller that has done the work does not need one. */
  readonly queue: boolean;
  /** One step. `again`: repeat it now. `wait`: repeat it when the claim has changed. */
  readonly attempt: () => Promise<T | 'again' | 'wait'>;
}

/**
 * Repeats `attempt` until it has an outcome, and waits for changes of the claim in between.
 * @returns undefined when the caller's time is over, or when all places to wait are taken
 */
export async function waitForClaim<T>({
  claims,
  key,
  caller,
  now,
  queue,
  attempt,
}: WaitOptions<T>): Promise<T | undefined> {
  const untilMs = Math.min(caller.deadlineMs - REPLY_MS, now() + LONGEST_WAIT_MS);
  let leave: (() => Promise<void>) | undefined;
  let watch: Watch | undefined;
  try {
    for (;;) {
      const found = await attempt();
      if (found !== 'again' && found !== 'wait') return found;
      const leftMs = untilMs - now();
      if (leftMs <= 0 || caller.signal.aborted) return undefined;
      if (found === 'again') continue;
      if (watch !== undefined) {
        await watch.changed(Math.min(leftMs, RETRY_MS));
        continue;
      }
      if (queue) {
        leave = await claims.enterQueue(key, leftMs);
        if (leave === undefined) return undefined;
      }
      // One more attempt sees changes from before the watch began.
      watch = await claims.watch(key);
    }
  } finally {
    await Promise.all([leave?.(), watch?.close()]);
  }
}

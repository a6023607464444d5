import type { Claims, Watch } from './claims.ts';

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
  readonly caller: Caller;
  readonly now: () => number;
  /** The call whose few places to wait the caller needs. Undefined for a caller that has done the work. */
  readonly queue: string | undefined;
  /** One step. `again`: repeat it now. `wait`: repeat it when the claim has changed. */
  readonly attempt: () => Promise<T | 'again' | 'wait'>;
}

/**
 * Repeats `attempt` until it has an outcome, and waits for changes of the claim in between.
 * @returns undefined when the caller's time is over, or when all places to wait are taken
 */
export async function waitForClaim<T>({ claims, caller, now, queue, attempt }: WaitOptions<T>): Promise<T | undefined> {
  const untilMs = Math.min(caller.deadlineMs - REPLY_MS, now() + LONGEST_WAIT_MS);
  let leave: (() => Promise<void>) | undefined;
  let watch: Watch | undefined;
  let changes = 0;
  try {
    for (;;) {
      const found = await attempt();
      if (found !== 'again' && found !== 'wait') return found;
      const leftMs = untilMs - now();
      if (leftMs <= 0 || caller.signal.aborted) return undefined;
      // What changes again and again is being changed: looking at once would only be work.
      changes = found === 'again' ? changes + 1 : 0;
      if (changes === 1) continue;
      if (watch !== undefined) {
        await watch.changed(Math.min(leftMs, RETRY_MS));
        continue;
      }
      if (queue !== undefined) {
        leave = await claims.enterQueue(queue, leftMs);
        if (leave === undefined) return undefined;
      }
      // One more attempt sees changes from before the watch began.
      watch = await claims.watch();
    }
  } finally {
    await Promise.all([leave?.(), watch?.close()]);
  }
}

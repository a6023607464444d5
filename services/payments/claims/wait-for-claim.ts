import { setTimeout as delay } from 'node:timers/promises';
import type { Claims } from './claims.ts';

export interface Caller {
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
}

/** Part of the caller's time that is left for the answer to arrive. */
const REPLY_MS = 1000;
/** Longest wait of callers without a deadline. */
const LONGEST_WAIT_MS = 30_000;
/** A waiting caller looks again after the first time, and then after twice as long each time, up to the last. */
const FIRST_LOOK_MS = 50;
const LAST_LOOK_MS = 250;

export interface WaitOptions<T> {
  readonly claims: Pick<Claims, 'enterQueues'>;
  readonly caller: Caller;
  readonly now: () => number;
  /** Of a clock that tests can set. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** What the caller needs one of the few places to wait for. Empty for a caller that has done the work. */
  readonly queues: readonly string[];
  /** One step. `again`: repeat it now. `wait`: repeat it later, when the claim may have changed. */
  readonly attempt: () => Promise<T | 'again' | 'wait'>;
}

/**
 * Repeats `attempt` until it has an outcome, and waits in between.
 * @returns undefined when the caller's time is over, or when all places to wait are taken
 */
export async function waitForClaim<T>({
  claims,
  caller,
  now,
  sleep = delay,
  queues,
  attempt,
}: WaitOptions<T>): Promise<T | undefined> {
  const untilMs = Math.min(caller.deadlineMs - REPLY_MS, now() + LONGEST_WAIT_MS);
  let leave: (() => void) | undefined;
  let isWaiting = false;
  let lookAfterMs = FIRST_LOOK_MS;
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
      if (!isWaiting) {
        isWaiting = true;
        leave = claims.enterQueues(queues);
        if (leave === undefined) return undefined;
        // The first look of a caller that waits is at once.
        continue;
      }
      await sleep(Math.min(lookAfterMs, leftMs));
      lookAfterMs = Math.min(2 * lookAfterMs, LAST_LOOK_MS);
    }
  } finally {
    leave?.();
  }
}

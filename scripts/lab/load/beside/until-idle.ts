import { setTimeout as delay } from 'node:timers/promises';

/** Part of one processor that a product without calls takes. */
const IDLE_SHARE = 0.15;
const WINDOW_MS = 1000;
const MAX_WINDOWS = 60;

export interface UsageReader {
  /** CPU seconds since the start of all processes. */
  readonly cpuSeconds: () => number;
  readonly signal: AbortSignal;
  /** Length of the time over which usage is taken. */
  readonly windowMs?: number;
}

/**
 * Waits until a product that has just started has nothing more to do. Otherwise, the first rounds would show which product
 * was started first.
 * @returns whether it became idle within a minute
 * @throws the reason of the signal
 */
export async function untilIdle({ cpuSeconds, signal, windowMs = WINDOW_MS }: UsageReader): Promise<boolean> {
  let before = cpuSeconds();
  for (let window = 0; window < MAX_WINDOWS; window += 1) {
    await delay(windowMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    const now = cpuSeconds();
    if (now - before < (IDLE_SHARE * windowMs) / 1000) return true;
    before = now;
  }
  return false;
}

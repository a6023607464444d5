import { within } from '../../platform/within.ts';

const MAX_AGE_MS = 5000;

export interface LatestOptions<T> {
  /** Measures. Never rejects. */
  readonly measure: () => Promise<T>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Longest wait for a measurement, from its start. */
  readonly waitMs: number;
}

export interface Latest<T> {
  /** A measurement of the last 5 s; undefined if the running one takes too long. */
  read(): Promise<T | undefined>;
}

/**
 * Caches a measurement for 5 s and runs one at a time, so that many readers do not load the measured system. If a
 * measurement hangs, the first reader waits for `waitMs`, and later readers do not wait.
 */
export function createLatest<T>({ measure, now, waitMs }: LatestOptions<T>): Latest<T> {
  let last: { readonly startedAtMs: number; readonly value: T } | undefined;
  let running: { readonly startedAtMs: number; readonly value: Promise<T> } | undefined;

  function start(): NonNullable<typeof running> {
    const startedAtMs = now();
    const value = measure().then((measured) => {
      last = { startedAtMs, value: measured };
      running = undefined;
      return measured;
    });
    running = { startedAtMs, value };
    return running;
  }

  return {
    async read() {
      if (last !== undefined && now() - last.startedAtMs <= MAX_AGE_MS) return last.value;
      const { startedAtMs, value } = running ?? start();
      return within(value, Math.max(0, startedAtMs + waitMs - now()), () => undefined);
    },
  };
}

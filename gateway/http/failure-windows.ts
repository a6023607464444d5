export interface FailureWindowsOptions {
  /** Failures in a window, after which a key is over its limit. */
  readonly max: number;
  readonly windowMs: number;
  /** How many keys are remembered. The one whose window began first is forgotten. */
  readonly capacity: number;
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
}

export interface FailureWindows {
  add(key: string): void;
  /** Takes one failure of a key back, if it has any. */
  takeBack(key: string): void;
  /** Milliseconds until a key over its limit may go on; undefined for any other key. */
  blockedMs(key: string): number | undefined;
}

interface Window {
  readonly endsAtMs: number;
  failures: number;
}

/** Counts failures by key, in windows that begin with a key's first failure. */
export function createFailureWindows(options: FailureWindowsOptions): FailureWindows {
  const { max, windowMs, capacity, monotonicMs } = options;
  // A map keeps the order in which windows began, and all are equally long: the first are those that end first.
  const windows = new Map<string, Window>();

  function open(key: string): Window | undefined {
    const window = windows.get(key);
    if (window === undefined || window.endsAtMs > monotonicMs()) return window;
    windows.delete(key);
    return undefined;
  }

  return {
    add(key) {
      const window = open(key);
      if (window !== undefined) {
        window.failures += 1;
        return;
      }
      windows.set(key, { endsAtMs: monotonicMs() + windowMs, failures: 1 });
      const [oldest] = windows.keys();
      if (windows.size > capacity && oldest !== undefined) windows.delete(oldest);
    },
    takeBack(key) {
      const window = open(key);
      if (window !== undefined) window.failures = Math.max(0, window.failures - 1);
    },
    blockedMs(key) {
      const window = open(key);
      return window !== undefined && window.failures >= max ? window.endsAtMs - monotonicMs() : undefined;
    },
  };
}

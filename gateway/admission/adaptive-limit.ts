/** How many calls may be executed at the same time, found out by their latency. */
export interface AdaptiveLimit {
  current(): number;
  /** Notes a call that ended, and how many were being executed when it began. */
  note(call: { readonly latencyMs: number; readonly isOverload: boolean; readonly running: number }): void;
}

export interface AdaptiveLimitOptions {
  /** The median latency above which the services are taken to be overloaded. */
  readonly targetMs: number;
  /** The limit never goes below this. It must keep every core busy. */
  readonly least: number;
  readonly most: number;
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
  /** Mean delay of the event loop since the last reading, in milliseconds. */
  readonly readLoopDelayMs: () => number;
}

const WINDOW_MS = 100;
/** A window ends when it has so many calls, or at the latest after its longest time. */
const WINDOW_CALLS = 10;
const LONGEST_WINDOW_MS = 1000;
/**
 * Times that a call waits for this process's own event loop. That part of its latency does not come from the calls that
 * are executed, and executing fewer would not shorten it.
 */
const TURNS_PER_CALL = 6;
const DECREASE = 0.9;
const INCREASE = 1.05;
/** The limit rises only while at least this part of it is used. */
const USED = 0.8;

/**
 * Additive increase and multiplicative decrease, as TCP controls congestion (Chiu and Jain, 1989). The median does not
 * care about the few calls that take long because of what they ask for. A limit of calls in flight, together with a
 * target for their latency, bounds the queues of all services by time, whatever their length.
 */
export function createAdaptiveLimit(options: AdaptiveLimitOptions): AdaptiveLimit {
  const { targetMs, least, most, monotonicMs, readLoopDelayMs } = options;
  let limit = Math.min(most, Math.max(least, START));
  let latencies: number[] = [];
  let overloads = 0;
  let mostRunning = 0;
  let startedMs = monotonicMs();

  function adjust(): void {
    const sorted = latencies.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const own = TURNS_PER_CALL * readLoopDelayMs();
    const isOver = median - own > targetMs || overloads * 2 > latencies.length;
    if (isOver) limit = Math.max(least, limit * DECREASE);
    else if (mostRunning >= limit * USED) limit = Math.min(most, Math.max(limit + 1, limit * INCREASE));
    latencies = [];
    overloads = 0;
    mostRunning = 0;
    startedMs = monotonicMs();
  }

  return {
    current: () => Math.floor(limit),
    note({ latencyMs, isOverload, running }) {
      latencies.push(latencyMs);
      if (isOverload) overloads += 1;
      mostRunning = Math.max(mostRunning, running);
      const lastedMs = monotonicMs() - startedMs;
      if (lastedMs >= LONGEST_WINDOW_MS || (lastedMs >= WINDOW_MS && latencies.length >= WINDOW_CALLS)) adjust();
    },
  };
}

/** Before anything is known. */
const START = 32;

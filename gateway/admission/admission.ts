import { AppError } from '../errors/app-error.ts';
import { overloaded } from '../http/overload.ts';
import type { AdaptiveLimit } from './adaptive-limit.ts';
import { createFairQueue } from './fair-queue.ts';

/** Decides which calls are executed now, which wait for a moment, and which are refused. */
export interface Admission {
  /** Whether a call would have to wait, or would be refused. */
  isFull(): boolean;
  /** Whether the next call of a client would run or wait. If not, it would be refused at once. */
  hasRoom(client: string): boolean;
  /**
   * Runs `work` once there is room for it. Its latency tells how much room there is.
   * @throws {AppError} OVERLOADED after a short wait, or at once if too many calls of the client wait
   */
  run<Value>(client: string, work: () => Promise<Value>): Promise<Value>;
  counts(): { readonly running: number; readonly waiting: number; readonly limit: number };
}

export interface AdmissionOptions {
  readonly limit: AdaptiveLimit;
  /** The latency at which the limit stops to rise. */
  readonly targetMs: number;
  /** Milliseconds, monotonic. */
  readonly monotonicMs: () => number;
}

interface Room {
  /** How many calls may wait. All clients that wait have an equal share. */
  readonly calls: number;
  readonly waitMs: number;
}

/** How long the queue may be in use until it holds an overload, in target latencies. */
const BURST_TARGETS = 5;
const BURST_CALLS = 256;
/**
 * How many calls may wait under overload, as a part of the limit, and for how long, as a part of the target latency. Within
 * this time, calls of the target latency make room for about that many others. More calls would wait in vain. The part is
 * small, because calls that run share messages, and calls that wait do not.
 */
const OVERLOAD_PART = 0.25;

/**
 * A queue that was empty a moment ago holds a burst, which is served even if it comes before the limit has risen. A queue
 * that does not empty holds an overload, whose calls are refused early. (CoDel, Nichols and Jacobson, 2012, as Maurer
 * adapted it to servers in "Fail at Scale", 2015.)
 */
export function createAdmission({ limit, targetMs, monotonicMs }: AdmissionOptions): Admission {
  const queue = createFairQueue<() => void>();
  let running = 0;
  let emptyMs = monotonicMs();

  function room(): Room {
    if (queue.size === 0) emptyMs = monotonicMs();
    const burstMs = targetMs * BURST_TARGETS;
    return monotonicMs() - emptyMs < burstMs
      ? { calls: BURST_CALLS, waitMs: burstMs }
      : { calls: limit.current() * OVERLOAD_PART, waitMs: targetMs * OVERLOAD_PART };
  }

  const isFull = () => running >= limit.current();

  function hasRoom(client: string): boolean {
    if (!isFull()) return true;
    const waiting = queue.sizeOf(client);
    const clients = queue.clients + (waiting === 0 ? 1 : 0);
    return waiting < Math.max(1, Math.floor(room().calls / clients));
  }

  /** Resolves when a place is taken for the caller. */
  function takePlace(client: string): Promise<void> | undefined {
    if (!isFull() && queue.size === 0) {
      running += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        clearTimeout(timer);
        running += 1;
        resolve();
      };
      const timer = setTimeout(() => {
        if (queue.remove(client, begin)) reject(overloaded());
      }, room().waitMs);
      queue.add(client, begin);
    });
  }

  function leave(): void {
    running -= 1;
    while (!isFull()) {
      const begin = queue.take();
      if (begin === undefined) break;
      begin();
    }
  }

  return {
    isFull,
    hasRoom,
    async run(client, work) {
      if (!hasRoom(client)) throw overloaded();
      await takePlace(client);
      const beganMs = monotonicMs();
      const besides = running;
      let isOverload = false;
      try {
        return await work();
      } catch (error) {
        isOverload = error instanceof AppError && error.code === 'OVERLOADED';
        throw error;
      } finally {
        limit.note({ latencyMs: monotonicMs() - beganMs, isOverload, running: besides });
        leave();
      }
    },
    counts: () => ({ running, waiting: queue.size, limit: limit.current() }),
  };
}

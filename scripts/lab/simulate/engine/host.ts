import { AsyncLocalStorage } from 'node:async_hooks';
import type { World } from './world.ts';

/** One life of a simulated process: from its start to its crash. Its memory is whatever its code holds. */
export interface Host {
  readonly name: string;
  readonly world: World;
  /** Its clock, in milliseconds since the epoch. It may be wrong, and too fast or too slow. */
  readonly clockMs: () => number;
  /** Its monotonic clock. */
  readonly monotonicMs: () => number;
  /** Runs `run` in this process after a time by its own clock, unless the process has ended. @returns a way to cancel it */
  readonly after: (delayMs: number, run: () => void) => () => void;
  /** Runs `run` in this process now, unless the process has ended. */
  readonly enter: (run: () => void) => void;
  readonly isAlive: () => boolean;
  /** Called once when the process ends. */
  readonly onEnd: (listener: () => void) => () => void;
  /** Stops the process for a while, as SIGSTOP does. Everything that happens to it happens afterwards. */
  readonly stall: (ms: number) => void;
  readonly isStalled: () => boolean;
  /** Ends the process at once. Whatever its code still does has no effect. */
  readonly kill: () => void;
}

export interface ClockFault {
  /** How far the clock is ahead. */
  readonly offsetMs: number;
  /** How much faster than time the clock runs: 0.001 gains a second in 1000. */
  readonly drift: number;
  /** Somebody sets the clock. */
  readonly jump?: { readonly atMs: number; readonly byMs: number };
}

const running = new AsyncLocalStorage<Host | undefined>();

/** The simulated process whose code is running; undefined outside of every simulation. */
export const currentHost = (): Host | undefined => running.getStore();

/** Runs real work that must see real time. */
export const outside = <Result>(work: () => Result): Result => running.run(undefined, work);

export function createHost(world: World, name: string, { offsetMs, drift, jump }: ClockFault): Host {
  const bornMs = world.nowMs();
  const listeners = new Set<() => void>();
  let isAlive = true;
  let stalledUntilMs = 0;
  const elapsedMs = () => (world.nowMs() - bornMs) * (1 + drift);
  const jumpedMs = () => (jump === undefined || world.nowMs() < jump.atMs ? 0 : jump.byMs);
  const host: Host = {
    name,
    world,
    clockMs: () => Math.floor(bornMs + offsetMs + jumpedMs() + elapsedMs()),
    monotonicMs: () => 1000 + elapsedMs(),
    after(delayMs, run) {
      const wait = Number.isFinite(delayMs) ? Math.max(0, delayMs) / (1 + drift) : 2 ** 40;
      return world.at(world.nowMs() + wait, () => host.enter(run));
    },
    enter(run) {
      if (!isAlive) return;
      if (world.nowMs() < stalledUntilMs) world.at(stalledUntilMs, () => host.enter(run));
      else running.run(host, run);
    },
    stall(ms) {
      stalledUntilMs = world.nowMs() + ms;
      world.note(() => `${name} STOPS for ${ms} ms`);
    },
    isStalled: () => world.nowMs() < stalledUntilMs,
    isAlive: () => isAlive,
    onEnd(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    kill() {
      if (!isAlive) return;
      isAlive = false;
      for (const listener of listeners) listener();
      listeners.clear();
    },
  };
  return host;
}

import { outside } from './host.ts';
import type { World } from './world.ts';

/** Runs many worlds in one process. While one waits for Redis, the others go on, so their commands share round trips. */
export interface Driver {
  /** Lets a world go on. */
  readonly wake: (world: World) => void;
}

export function createDriver(): Driver {
  let ready = new Set<World>();

  function tick(): void {
    const running = ready;
    ready = new Set();
    for (const world of running) {
      if (world.isOver() || world.isWaiting()) continue;
      world.step();
      // What the event started runs in microtasks, all of them before the next tick.
      wake(world);
    }
  }

  function wake(world: World): void {
    if (ready.size === 0) outside(() => setImmediate(tick));
    ready.add(world);
  }

  return { wake };
}

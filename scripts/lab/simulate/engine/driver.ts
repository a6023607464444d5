import { outside } from './host.ts';
import type { World } from './world.ts';

/** Runs worlds in one process. */
export interface Driver {
  /** Lets a world run until it is over. */
  readonly wake: (world: World) => void;
}

export function createDriver(): Driver {
  let ready = new Set<World>();

  function tick(): void {
    const running = ready;
    ready = new Set();
    for (const world of running) {
      if (world.isOver()) continue;
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

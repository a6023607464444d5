import type { Faults } from './faults.ts';
import { type ClockFault, createHost, type Host } from './host.ts';
import type { World } from './world.ts';

/** Answers one request. It runs in the process of the machine. */
export type Handler = (request: unknown, deadlineMs: number) => Promise<unknown>;
export type Handlers = Readonly<Record<string, Handler>>;

/** A place where a process runs. After a crash, the process starts again with an empty memory. */
export interface Machine {
  readonly name: string;
  /** The current process. Undefined while no process runs. */
  readonly host: () => Host | undefined;
  /** What the process serves; undefined while it starts. */
  readonly handlers: () => Handlers | undefined;
  readonly start: () => void;
  readonly crash: (why: string) => void;
}

export interface MachineOptions {
  readonly world: World;
  readonly name: string;
  readonly clock: ClockFault;
  readonly faults: Faults;
  /** Starts the process. Resolves when it serves. */
  readonly boot: (host: Host) => Promise<Handlers>;
}

const MIN_RESTART_MS = 20;
const MAX_RESTART_MS = 8000;

export function createMachine({ world, name, clock, faults, boot }: MachineOptions): Machine {
  let host: Host | undefined;
  let handlers: Handlers | undefined;
  let lives = 0;

  function start(): void {
    lives += 1;
    const life = createHost(world, `${name}.${lives}`, clock);
    host = life;
    world.note(() => `${life.name} starts`);
    life.enter(() => {
      boot(life).then(
        (served) => {
          if (host === life) handlers = served;
        },
        (error: unknown) => {
          if (life.isAlive()) world.end(error);
        },
      );
    });
  }

  return {
    name,
    host: () => host,
    handlers: () => handlers,
    start,
    crash(why) {
      if (host === undefined) return;
      const ended = host;
      world.note(() => `${ended.name} CRASHES: ${why}`);
      world.count('fault: crash');
      host = undefined;
      handlers = undefined;
      ended.kill();
      const pauseMs = faults.isOn ? world.random.between(MIN_RESTART_MS, MAX_RESTART_MS) : MIN_RESTART_MS;
      world.at(world.nowMs() + pauseMs, start);
    },
  };
}

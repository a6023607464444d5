import { createEventQueue } from './event-queue.ts';
import { createRandom, type Random } from './random.ts';

/** Something that must never happen. The seed replays it. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A world with its own time and its own randomness. It does one thing at a time, so a seed always gives the same run. */
export interface World {
  readonly seed: number;
  readonly random: Random;
  readonly nowMs: () => number;
  /** Runs `run` at a time of this world. @returns a way to cancel it */
  readonly at: (atMs: number, run: () => void) => () => void;
  /** Runs the next event. */
  readonly step: () => void;
  /** Writes a line of the trace. The text is made only when the world is traced. */
  readonly note: (text: () => string) => void;
  readonly trace: readonly string[];
  /** Counts something that happened, for the report. */
  readonly count: (what: string) => void;
  readonly counts: ReadonlyMap<string, number>;
  /** Ends the world. The first failure counts. */
  readonly end: (failure?: unknown) => void;
  readonly isOver: () => boolean;
  readonly ended: Promise<void>;
}

/** More events mean that something repeats without end. */
const MAX_EVENTS = 60_000;
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

export interface WorldOptions {
  readonly seed: number;
  readonly startMs: number;
  readonly isTraced: boolean;
}

export function createWorld({ seed, startMs, isTraced }: WorldOptions): World {
  const queue = createEventQueue();
  const trace: string[] = [];
  const counts = new Map<string, number>();
  const aliases = new Map<string, string>();
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  ended.catch(() => {});
  let nowMs = startMs;
  let events = 0;
  let isOver = false;

  /** Ids depend on other worlds of the same process, so the trace names them by their order. */
  const aliasOf = (id: string) => {
    const known = aliases.get(id) ?? `#${aliases.size + 1}`;
    aliases.set(id, known);
    return known;
  };
  const end = (failure?: unknown) => {
    if (isOver) return;
    isOver = true;
    if (failure === undefined) resolve();
    else reject(failure);
  };

  const world: World = {
    seed,
    random: createRandom(seed),
    nowMs: () => nowMs,
    at(atMs, run) {
      const event = queue.push(Math.max(atMs, nowMs), run);
      return () => {
        event.run = undefined;
      };
    },
    step() {
      let event = queue.pop();
      while (event !== undefined && event.run === undefined) event = queue.pop();
      events += 1;
      if (event?.run === undefined)
        return end(new Violation('nothing can happen any more, and the clients still wait'));
      if (events > MAX_EVENTS) return end(new Violation(`${MAX_EVENTS} events: something repeats without end`));
      nowMs = event.atMs;
      try {
        event.run();
      } catch (error) {
        end(error);
      }
    },
    note(text) {
      if (!isTraced) return;
      const atS = ((nowMs - startMs) / 1000).toFixed(3).padStart(9);
      trace.push(`${atS}  ${text().replaceAll(UUID, aliasOf)}`);
    },
    trace,
    count: (what) => {
      counts.set(what, (counts.get(what) ?? 0) + 1);
    },
    counts,
    end,
    isOver: () => isOver,
    ended,
  };
  return world;
}

import { FailedStart, UNUSABLE } from './tied-process.ts';

/** A unit that served this long before it ended starts a new series of crashes. */
const RAN_WELL_MS = 30_000;
const FIRST_BACKOFF_MS = 100;
const MAX_BACKOFF_MS = 30_000;

export interface Running {
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface Unit {
  readonly name: string;
  /** Resolves when the unit serves. */
  readonly start: () => Promise<Running>;
  /** Names of units to restart after a restart of this one. */
  readonly dependants?: readonly string[];
  /** The last lines of the unit's log. */
  readonly tail: () => readonly string[];
}

export interface Supervisor {
  /** Starts a unit, and restarts it whenever it ends, unless that cannot help. @throws the error of the first start */
  readonly keep: (unit: Unit) => Promise<void>;
  readonly pidOf: (name: string) => number | undefined;
  /** Stops the named units together and permanently. Resolves when they have ended. */
  readonly stop: (names: readonly string[]) => Promise<void>;
}

export interface SupervisorOptions {
  /** Receives lines for people about every crash and restart. */
  readonly report: (line: string) => void;
  /** A unit ended because its settings cannot be used. It is not restarted. */
  readonly onUnusable: (error: FailedStart) => void;
  /** The wait before a restart, given the number of earlier crashes in this series. */
  readonly backoffMs?: (crashes: number) => number;
  readonly now?: () => number;
}

/** Doubles the wait from crash to crash, up to a limit. */
export const doubling =
  (firstMs: number, maxMs: number) =>
  (crashes: number): number =>
    Math.min(firstMs * 2 ** crashes, maxMs);

interface Kept {
  readonly unit: Unit;
  running: Running;
  phase: 'running' | 'waiting' | 'starting';
  servesSinceMs: number;
  crashesInARow: number;
  /** Whether the next end is a restart, not a crash. */
  isRestarting: boolean;
  isStopping: boolean;
  /** Ends a wait early. */
  wake: () => void;
}

/**
 * Keeps units running. A unit that ends is restarted, after a longer wait each time. The supervisor gives up only a unit whose
 * settings cannot be used, because the other units can work without the one that crashes.
 */
export function createSupervisor({
  report,
  onUnusable,
  backoffMs = doubling(FIRST_BACKOFF_MS, MAX_BACKOFF_MS),
  now = Date.now,
}: SupervisorOptions): Supervisor {
  const all = new Map<string, Kept>();

  async function backOff(kept: Kept, reason: string): Promise<void> {
    const { unit } = kept;
    const waitMs = backoffMs(kept.crashesInARow);
    kept.crashesInARow += 1;
    report(`${unit.name} ended (${reason}); restarting in ${waitMs / 1000} s. Its last log lines:`);
    for (const line of unit.tail()) report(line);
    kept.phase = 'waiting';
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      kept.wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** @returns the reason if it did not start */
  async function startAgain(kept: Kept): Promise<string | undefined> {
    kept.phase = 'starting';
    kept.isRestarting = false;
    try {
      kept.running = await kept.unit.start();
    } catch (error) {
      if (error instanceof FailedStart) return error.ended;
      return error instanceof Error ? error.message : String(error);
    }
    kept.phase = 'running';
    kept.servesSinceMs = now();
    if (kept.isStopping) await kept.running.stop();
    else report(`${kept.unit.name} runs again`);
    // A unit that it depends on was restarted while this one started.
    if (kept.isRestarting) void kept.running.stop();
    for (const name of kept.unit.dependants ?? []) restart(name);
    return undefined;
  }

  function restart(name: string): void {
    const kept = all.get(name);
    if (kept === undefined || kept.isStopping) return;
    if (kept.phase === 'waiting') {
      kept.wake();
      return;
    }
    kept.isRestarting = true;
    if (kept.phase === 'running') void kept.running.stop();
  }

  async function watch(kept: Kept): Promise<void> {
    let failure: string | undefined;
    for (;;) {
      const reason = failure ?? (await kept.running.exited);
      if (kept.isStopping) return;
      if (reason === UNUSABLE) {
        kept.isStopping = true;
        onUnusable(new FailedStart(`${kept.unit.name} ended and is not restarted`, reason, kept.unit.tail()));
        return;
      }
      if (failure === undefined && now() - kept.servesSinceMs > RAN_WELL_MS) kept.crashesInARow = 0;
      if (failure !== undefined || !kept.isRestarting) await backOff(kept, reason);
      if (kept.isStopping) return;
      failure = await startAgain(kept);
    }
  }

  return {
    keep: async (unit) => {
      const running = await unit.start();
      const kept: Kept = {
        unit,
        running,
        phase: 'running',
        servesSinceMs: now(),
        crashesInARow: 0,
        isRestarting: false,
        isStopping: false,
        wake: () => {},
      };
      all.set(unit.name, kept);
      void watch(kept);
    },
    pidOf: (name) => all.get(name)?.running.pid,
    stop: async (names) => {
      const named = names.flatMap((name) => all.get(name) ?? []);
      for (const kept of named) {
        kept.isStopping = true;
        kept.wake();
      }
      await Promise.all(named.map((kept) => kept.running.stop()));
    },
  };
}

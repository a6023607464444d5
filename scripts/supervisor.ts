import { setTimeout as delay } from 'node:timers/promises';

/** A child that ended sooner than this after its start has crashed quickly. */
const QUICK_MS = 30_000;
const MAX_QUICK_CRASHES = 5;
const FIRST_BACKOFF_MS = 100;

export interface Running {
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly stop: () => Promise<void>;
}

export interface Unit {
  readonly name: string;
  /** Resolves when it serves. */
  readonly start: () => Promise<Running>;
  /** Names of units that must start anew after this one did. */
  readonly dependants?: readonly string[];
  /** What its log said last. */
  readonly tail: () => readonly string[];
}

export interface Supervisor {
  /** Starts a unit, and starts it again whenever it ends. @throws what the first start throws */
  readonly keep: (unit: Unit) => Promise<void>;
  readonly pidOf: (name: string) => number | undefined;
  /** Stops the named units at once and for good; resolves when they are gone. */
  readonly stop: (names: readonly string[]) => Promise<void>;
}

export interface SupervisorOptions {
  /** Told about every crash and restart, in lines for people. */
  readonly report: (line: string) => void;
  /** Called once, when a unit has crashed quickly five times. */
  readonly giveUp: (reason: string) => void;
  readonly now?: () => number;
}

interface Kept {
  readonly unit: Unit;
  running: Running;
  startedAtMs: number;
  quickCrashes: number;
  /** Its next end was asked for, and is no crash. */
  isRestarting: boolean;
  isStopping: boolean;
}

/** Keeps units running: those that end are started again, later each time, until five quick crashes. */
export function createSupervisor({ report, giveUp, now = Date.now }: SupervisorOptions): Supervisor {
  const all = new Map<string, Kept>();

  async function backOff(kept: Kept, reason: string): Promise<void> {
    const { unit } = kept;
    kept.quickCrashes = now() - kept.startedAtMs > QUICK_MS ? 1 : kept.quickCrashes + 1;
    for (const line of [`${unit.name} ended (${reason}); its log says last:`, ...unit.tail()]) report(line);
    if (kept.quickCrashes >= MAX_QUICK_CRASHES) {
      kept.isStopping = true;
      giveUp(`${unit.name} crashed ${MAX_QUICK_CRASHES} times in a row`);
      return;
    }
    await delay(FIRST_BACKOFF_MS * 2 ** (kept.quickCrashes - 1));
  }

  async function startAgain(kept: Kept): Promise<string | undefined> {
    kept.startedAtMs = now();
    try {
      kept.running = await kept.unit.start();
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    if (kept.isStopping) await kept.running.stop();
    else report(`${kept.unit.name} runs again`);
    for (const name of kept.unit.dependants ?? []) restart(name);
    return undefined;
  }

  function restart(name: string): void {
    const kept = all.get(name);
    if (kept === undefined || kept.isStopping) return;
    kept.isRestarting = true;
    void kept.running.stop();
  }

  async function watch(kept: Kept): Promise<void> {
    let failure: string | undefined;
    for (;;) {
      const reason = failure ?? (await kept.running.exited);
      if (kept.isStopping) return;
      if (kept.isRestarting) kept.isRestarting = false;
      else await backOff(kept, reason);
      if (kept.isStopping) return;
      failure = await startAgain(kept);
    }
  }

  return {
    keep: async (unit) => {
      const startedAtMs = now();
      const running = await unit.start();
      const kept: Kept = { unit, running, startedAtMs, quickCrashes: 0, isRestarting: false, isStopping: false };
      all.set(unit.name, kept);
      void watch(kept);
    },
    pidOf: (name) => all.get(name)?.running.pid,
    stop: async (names) => {
      const named = names.flatMap((name) => all.get(name) ?? []);
      for (const kept of named) kept.isStopping = true;
      await Promise.all(named.map((kept) => kept.running.stop()));
    },
  };
}

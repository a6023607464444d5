import { setTimeout as delay } from 'node:timers/promises';
import { errorCodeOf } from '../../../launch/parse/error-code.ts';
import type { Random } from '../../random.ts';
import type { Product, Victim } from './product.ts';

const KINDS = ['SIGKILL', 'SIGSTOP'] as const;
const MIN_STOP_MS = 2000;
const MAX_STOP_MS = 6000;

export interface FaultOptions {
  readonly product: Pick<Product, 'pidOf'>;
  readonly victims: readonly [Victim, ...Victim[]];
  readonly random: Random;
  readonly everyMs: number;
  readonly signal: AbortSignal;
  readonly report: (line: string) => void;
}

/** Kills or stops a random process at regular intervals, until `signal` aborts. @returns the number of faults by kind */
export async function injectFaults(options: FaultOptions): Promise<ReadonlyMap<string, number>> {
  const { product, victims, random, everyMs, signal, report } = options;
  const counts = new Map<string, number>();
  for (;;) {
    // The choice does not depend on the state of the processes, so a seed always gives the same victims.
    const victim = random.pick(victims);
    const kind = random.pick(KINDS);
    const stopMs = random.between(MIN_STOP_MS, MAX_STOP_MS);
    if (!(await pause(everyMs, signal))) return counts;
    const pid = product.pidOf(victim);
    const isHit = pid !== undefined && (kind === 'SIGKILL' ? send(pid, kind) : send(-pid, kind));
    const what = kind === 'SIGKILL' ? kind : `SIGSTOP for ${(stopMs / 1000).toFixed(1)} s`;
    report(`${victim}: ${what}${isHit ? '' : ' (it was not running)'}`);
    if (!isHit) continue;
    counts.set(`${kind} ${victim}`, (counts.get(`${kind} ${victim}`) ?? 0) + 1);
    if (kind === 'SIGSTOP') {
      await delay(stopMs);
      // The signal goes to the whole process group, because PostgreSQL has child processes.
      send(-pid, 'SIGCONT');
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (errorCodeOf(error) !== 'ESRCH') throw error;
    return false;
  }
}

/** @returns false when `signal` aborted first */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  await delay(ms, undefined, { signal }).catch(() => {});
  return !signal.aborted;
}

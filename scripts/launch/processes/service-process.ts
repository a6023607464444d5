import { join } from 'node:path';
import { CACHE_FOLDER, ROOT } from '../../../services/platform/process/installation.ts';
import { bundleOf } from '../bundles/current-bundles.ts';
import type { Log } from './log-file.ts';
import { environmentFor, type Program } from './programs.ts';
import type { Running } from './supervisor.ts';
import { failedStart, startTied } from './tied-process.ts';
import { START_TIMEOUT_MS, waitFor } from './wait-for.ts';

/** Settings of Node and of the C library. */
export const START_SETTINGS = {
  // With the cache, every start but the first takes a quarter less time.
  NODE_COMPILE_CACHE: join(CACHE_FOLDER, 'compiled'),
  // By default, glibc keeps memory for eight times as many threads as there are cores.
  MALLOC_ARENA_MAX: '2',
  // By default, glibc raises both after a large block is freed, and then keeps what is free below blocks in use.
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
};
/** Services finish open work for up to 65 s before they end. */
const STOP_GRACE_MS = 70_000;

export interface ServiceProcess extends Program {
  readonly name: string;
  /** Folder of bundles. If it is undefined, the process runs from its sources. */
  readonly bundles: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly isUp: () => Promise<boolean>;
}

/**
 * Starts a service or gateway with the environment of this process, without the secrets of others, and `env`, and waits until it is up.
 *
 * @throws {FailedStart} with its last log lines if it ends early, or is not up after ten minutes
 */
export async function startService(service: ServiceProcess): Promise<Running> {
  const { name, entry, flags, bundles, env, log, isUp } = service;
  const child = startTied({
    command: process.execPath,
    args: [...flags, bundles === undefined ? entry : bundleOf(entry, bundles)],
    env: { ...START_SETTINGS, ...environmentFor(service, { ...process.env, ...env }) },
    cwd: ROOT,
    output: log.output,
  });
  const up = await waitFor(isUp, { timeoutMs: START_TIMEOUT_MS, hopeless: () => !child.running() });
  if (!up) throw await failedStart(name, child, log);
  return { pid: child.pid, exited: child.exited, stop: () => child.stop('SIGTERM', STOP_GRACE_MS) };
}

import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCodeOf } from '../../scripts/launch/parse/error-code.ts';
import { defined } from '../../workers/exact/defined.ts';

// `startStack({ preload })` loads this first into every process of a stack. A file `failpoints/<process>.<step>` in the
// data folder arms that step of that process once. The file has the pid to kill at that step, or is empty.
const folder = join(defined(process.env['TOLLHOUSE_DATA']), 'failpoints');
const processName = basename(dirname(defined(process.argv[1])));
const clock = new Int32Array(new SharedArrayBuffer(4));

subscribe('tollhouse:step', (step) => {
  const armed = join(folder, `${processName}.${String(step)}`);
  const hit = `${armed}.hit`;
  try {
    renameSync(armed, hit);
  } catch {
    return;
  }
  const victim = readFileSync(hit, 'utf8');
  if (victim === '') return;
  const pid = Number(victim);
  if (pid === process.pid) process.kill(pid, 'SIGKILL');
  // A stopped process starts no more children. Children of PostgreSQL could still commit after its end.
  process.kill(pid, 'SIGSTOP');
  const killed = [pid, ...childrenOf(pid)];
  for (const each of killed) kill(each);
  // The step continues only when all of them have ended.
  while (killed.some((each) => isRunning(each))) Atomics.wait(clock, 0, 0, 1);
});

/** Children may end before it is their turn, because their parent has ended. */
function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (errorCodeOf(error) !== 'ESRCH') throw error;
  }
}

interface Process {
  readonly state: string;
  readonly parent: number;
}

/** Undefined if the process has ended. */
function readProcess(pid: number): Process | undefined {
  try {
    const [, state, parent] = /\) (\S) (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return state === undefined ? undefined : { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function childrenOf(pid: number): readonly number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((each) => readProcess(each)?.parent === pid);
}

/** False for a zombie. */
function isRunning(pid: number): boolean {
  const found = readProcess(pid);
  return found !== undefined && found.state !== 'Z';
}

import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { errorCodeOf } from '../../scripts/launch/parse/error-code.ts';
import { defined } from '../../workers/exact/defined.ts';
import { childrenOf } from './children-of.ts';

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

/** False for a zombie. */
function isRunning(pid: number): boolean {
  try {
    return /\) [^Z] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

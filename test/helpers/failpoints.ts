import { subscribe } from 'node:diagnostics_channel';
import { readFileSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

// Loaded first into every process of a stack, by `startStack({ preload })`. A file `<process>.<step>` in the data
// folder's `failpoints` arms that step of that process once; it names what is killed there: a pid, or nothing.
const folder = join(process.env['TOLLHOUSE_DATA'] ?? '', 'failpoints');
const processName = basename(dirname(process.argv[1] ?? ''));
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
  process.kill(pid, 'SIGKILL');
  // The step goes on only when the victim is certainly gone.
  while (isRunning(pid)) Atomics.wait(clock, 0, 0, 1);
});

/** False for a process that has ended and whose parent has not noticed yet. */
function isRunning(pid: number): boolean {
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

import { subscribe } from 'node:diagnostics_channel';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
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
  if (pid === process.pid) process.kill(pid, 'SIGKILL');
  // Stopped, it has no more children. Those of PostgreSQL would still commit for a while without it.
  process.kill(pid, 'SIGSTOP');
  const killed = [pid, ...childrenOf(pid)];
  for (const each of killed) process.kill(each, 'SIGKILL');
  // The step goes on only when all of them are certainly gone.
  while (killed.some((each) => isRunning(each))) Atomics.wait(clock, 0, 0, 1);
});

interface Process {
  readonly state: string;
  readonly parent: number;
}

/** Undefined for a process that is gone. */
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

/** False for a process that has ended and whose parent has not noticed yet. */
function isRunning(pid: number): boolean {
  return (readProcess(pid)?.state ?? 'Z') !== 'Z';
}

import { readFileSync } from 'node:fs';
import { errorCodeOf } from '../../scripts/launch/parse/error-code.ts';

/** Whether a process runs. A zombie does not run. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // EPERM: the process of another user runs.
    return errorCodeOf(error) === 'EPERM';
  }
}

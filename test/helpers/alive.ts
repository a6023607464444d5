import { readFileSync } from 'node:fs';

/** Whether a process runs. One that ended and waits for its parent to look (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch (error) {
    // no /proc, or the process of another user
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

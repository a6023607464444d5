import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCodeOf } from '../parse/error-code.ts';

const FOLDER = '.cache/running';

/** Removes the mark of this process at its end. */
let removeAtExit: (() => void) | undefined;

/**
 * Tells scripts/setup.sh to keep node_modules while this process runs.
 * @param root of the checkout
 * @param bundles name of the folder of bundles that this process uses, which is also kept
 */
export function markRunning(root: string, bundles = ''): void {
  const mark = join(root, FOLDER, String(process.pid));
  mkdirSync(join(root, FOLDER), { recursive: true });
  writeFileSync(mark, bundles);
  if (removeAtExit !== undefined) process.off('exit', removeAtExit);
  removeAtExit = () => rmSync(mark, { force: true });
  process.once('exit', removeAtExit);
}

/** Names of the folders of bundles that running processes use. */
export function bundlesInUse(root: string): readonly string[] {
  const folder = join(root, FOLDER);
  mkdirSync(folder, { recursive: true });
  const pids = readdirSync(folder).filter((name) => /^\d+$/.test(name) && isAlive(Number(name)));
  return pids.map((pid) => readMark(join(folder, pid))).filter((bundles) => bundles !== '');
}

/** Empty if the process has just ended. */
function readMark(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

/** Whether there is a process with this id, of any user. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCodeOf(error) === 'EPERM';
  }
}

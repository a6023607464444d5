import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { errorCodeOf } from '../launch/parse/error-code.ts';
import { isAlive } from '../launch/processes/running-mark.ts';

const RETRY_MS = 100;

/** Runs `work` while no other process holds the lock. The lock is a file that has the pid of its holder. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!take(path)) await delay(RETRY_MS);
  try {
    return await work();
  } finally {
    rmSync(path);
  }
}

function take(path: string): boolean {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (errorCodeOf(error) !== 'EEXIST') throw error;
  }
  const holder = readHolder(path);
  // A killed process leaves its lock.
  if (holder !== undefined && !isAlive(holder)) rmSync(path, { force: true });
  return false;
}

/** Undefined if the lock was released, or if its holder has not written its pid yet. */
function readHolder(path: string): number | undefined {
  try {
    const text = readFileSync(path, 'utf8');
    return text === '' ? undefined : Number(text);
  } catch (error) {
    if (errorCodeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

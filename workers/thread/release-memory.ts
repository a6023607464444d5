import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

interface GcOptions {
  readonly type: 'major';
  /** Also shrinks the heap to what is used. */
  readonly flavor: 'last-resort';
}

type Gc = (options: GcOptions) => void;

const isGc = (value: unknown): value is Gc => typeof value === 'function';

/**
 * Collects the garbage of this thread and returns the free memory to the system. A thread that is idle after its start
 * does not do this by itself: V8 collects garbage only when something is allocated. It takes up to 0.1 s.
 */
export function releaseMemory(): void {
  // V8 gives the function to contexts that are created after the flag is set.
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (!isGc(gc)) throw new TypeError('V8 has no function that collects garbage');
  gc({ type: 'major', flavor: 'last-resort' });
}

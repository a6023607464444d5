import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** The processes of `npm start` are ready before that, so the collections do not slow down the start. */
const AFTER_START_MS = 5_000;

interface GcOptions {
  readonly type: 'major';
  /** Also shrinks the heap to what is used. */
  readonly flavor: 'last-resort';
}

type Gc = (options: GcOptions) => void;

const isGc = (value: unknown): value is Gc => typeof value === 'function';

/**
 * Returns the memory that only the start needed to the system, once, some seconds from now. An idle process does not do
 * this by itself: V8 collects garbage only when something is allocated. It stops this thread for about 0.1 s.
 */
export function releaseMemoryAfterStart(): void {
  setTimeout(releaseMemory, AFTER_START_MS).unref();
}

function releaseMemory(): void {
  // V8 gives the function to contexts that are created after the flag is set.
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  if (!isGc(gc)) throw new TypeError('V8 has no function that collects garbage');
  gc({ type: 'major', flavor: 'last-resort' });
}

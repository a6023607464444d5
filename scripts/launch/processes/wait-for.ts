import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isListeningOn } from '../../../services/platform/process/listen-address.ts';

/** Only a start that hangs takes so long: on a busy machine it can take minutes. A process that ends is noticed at once. */
export const START_TIMEOUT_MS = 600_000;
const STEP_MS = 15;

/** Whether a server accepts connections on the Unix socket. */
export async function isListening(path: string): Promise<boolean> {
  // A look at the file costs much less than a failed connection, which matters to those who ask again and again.
  return existsSync(path) && (await isListeningOn({ path }));
}

/** Waits until `done` returns true. @returns false after `timeoutMs`, or when `hopeless` returns true */
export async function waitFor(
  done: () => Promise<boolean> | boolean,
  options: { readonly timeoutMs: number; readonly hopeless?: () => boolean },
): Promise<boolean> {
  const end = performance.now() + options.timeoutMs;
  while (performance.now() < end && options.hopeless?.() !== true) {
    if (await done()) return true;
    await delay(STEP_MS);
  }
  return false;
}

import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const STEP_MS = 15;

/** Whether someone accepts connections on a Unix socket. */
export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ path });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/** Tries until `done` says true. @returns false when `timeoutMs` have passed, or `hopeless` says that it cannot come */
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

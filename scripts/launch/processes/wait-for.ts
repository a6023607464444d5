import { createConnection } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

const STEP_MS = 15;

type Address = { readonly path: string } | { readonly host: string; readonly port: number };

/** Whether someone accepts connections there. */
export function isListeningOn(address: Address): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection(address);
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      resolve(true);
      socket.destroy();
    });
  });
}

/** Whether someone accepts connections on a Unix socket. */
export const isListening = (path: string): Promise<boolean> => isListeningOn({ path });

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

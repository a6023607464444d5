import { setTimeout as delay } from 'node:timers/promises';

/** Only a hang takes so long, on a busy machine too. */
export const HANG_MS = 240_000;
const FIRST_STEP_MS = 10;
const LONGEST_STEP_MS = 200;

interface Started {
  readonly child: { running(): boolean };
  readonly log: { tail(lines: number): readonly string[] };
}

/**
 * Asks again and again until `find` returns something that is neither undefined nor false. It may throw meanwhile, as
 * clients do that have not reconnected yet.
 * @returns what it found
 * @throws {Error} when only a hang explains the wait, or when the process that it waits for has ended
 */
export async function until<T>(find: () => T | Promise<T>, started?: Started): Promise<Exclude<T, undefined | false>> {
  const end = performance.now() + HANG_MS;
  let failure: unknown;
  for (let stepMs = FIRST_STEP_MS; ; stepMs = Math.min(stepMs * 1.5, LONGEST_STEP_MS)) {
    try {
      const found = await find();
      if (found !== undefined && found !== false) return found as Exclude<T, undefined | false>;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    if (started?.child.running() === false || performance.now() > end) break;
    await delay(stepMs);
  }
  throw new Error([`in vain: ${find}`, ...(started?.log.tail(20) ?? [])].join('\n'), { cause: failure });
}

import { type Finding, failure, ok } from './finding.ts';

/** Difference from which timestamps confuse a reader of the records. */
const NOTABLE_MS = 2000;

/**
 * Compares the clock of this machine with that of PostgreSQL.
 * @param readMs milliseconds since the epoch, by the server
 */
export async function examineClock(readMs: () => Promise<number>): Promise<Finding> {
  const sentMs = Date.now();
  const serverMs = await readMs();
  // The server answered between the two times. The middle is assumed.
  const aheadMs = Math.round((sentMs + Date.now()) / 2 - serverMs);
  const check = 'clock.postgresql';
  const found = `this machine is ${Math.abs(aheadMs)} ms ${aheadMs < 0 ? 'behind' : 'ahead of'} postgresql`;
  if (Math.abs(aheadMs) < NOTABLE_MS) return ok(check, found);
  return failure(check, found, 'synchronize the clocks of all machines (NTP): trials and payments depend on them');
}

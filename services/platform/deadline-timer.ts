/** The longest delay of a timer in Node. A longer delay, from 25 days on, ends after 1 ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls `end` after `delayMs`, which may be Infinity, or below 0 for a deadline that has passed. Stop it with `clearTimeout`. */
export function startDeadlineTimer(end: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(end, Math.min(Math.max(delayMs, 0), MAX_DELAY_MS));
}

/** The longest delay of a timer in Node. A longer one, 25 days or more, ends after 1 ms. */
const MAX_DELAY_MS = 2 ** 31 - 1;

/** Calls `end` after `delayMs`, which may be Infinity. Stop it with `clearTimeout`. */
export function startDeadlineTimer(end: () => void, delayMs: number): NodeJS.Timeout {
  return setTimeout(end, Math.min(delayMs, MAX_DELAY_MS));
}

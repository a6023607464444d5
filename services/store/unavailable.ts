/**
 * SQLSTATE classes and codes of a server that is unavailable, starting, stopping, full, out of connections or too slow,
 * or that lacks the schema, the rights or intact files. Errors of our own statements and values (classes 22 and 23,
 * 42601) are not included.
 */
const SQLSTATES = /^(?:08|25006|25P0[23]|28|3D000|3F000|40|42501|42703|42883|42P01|53|55|57|58|F0|XX)/;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const SYSTEM_CODES: ReadonlySet<string> = new Set([
  'EACCES',
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);
/** Messages of the driver's errors without a code. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed|Client has encountered a connection error)/;

/**
 * Whether the database did not answer, or could not do its work. The same write may succeed later.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? error.code : undefined;
  if (typeof code === 'string' && SYSTEM_CODES.has(code)) return true;
  if (typeof code === 'string' && SQLSTATE.test(code) && SQLSTATES.test(code)) return true;
  return MESSAGES.test(error.message);
}

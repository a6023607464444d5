/**
 * SQLSTATE classes and codes of a server that is away, starting, stopping, full, out of connections or too slow, or that
 * does not have the schema, the rights or the intact files that it should have. Errors in our own statements and values
 * (classes 22 and 23, 42601) are not among them.
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
/** What the driver says without a code. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client was closed|Client has encountered a connection error)/;

/**
 * Whether the database did not answer, or could not do its work: the same write may succeed soon, and was not committed by
 * us.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && SYSTEM_CODES.has(code)) return true;
  if (typeof code === 'string' && SQLSTATE.test(code) && SQLSTATES.test(code)) return true;
  return MESSAGES.test(error.message);
}

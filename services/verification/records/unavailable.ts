/** SQLSTATE classes and codes of a server that is away, starting or stopping, or that has no connection to spare. */
const SQLSTATES = /^(?:08...|57P0[1-5]|53...|25P03|40001|40P01)$/;
const SYSTEM_CODES: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT']);
/** What the driver says without a code. */
const MESSAGES =
  /^(?:Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error)/;

/** Whether the database did not answer, or could not: the same write may succeed soon, and was not committed by us. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string' && (SQLSTATES.test(code) || SYSTEM_CODES.has(code))) return true;
  return MESSAGES.test(error.message);
}

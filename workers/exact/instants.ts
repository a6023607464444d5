import { DocumentError } from './document-error.ts';

const INSTANT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z$/;

/**
 * Reads a time of RFC 3339, in UTC with six decimals.
 * @returns microseconds since 1970
 * @throws {DocumentError} MALFORMED_VALUE, also for a day or an hour that does not exist
 */
export function parseInstant(json: unknown, path: string): bigint {
  if (typeof json === 'string' && INSTANT.test(json)) {
    const milliseconds = Date.parse(`${json.slice(0, 23)}Z`);
    // Date.parse reads February 30 as March 2, and hour 24 as the next day.
    if (new Date(milliseconds).getUTCDate() === Number(json.slice(8, 10)))
      return BigInt(milliseconds) * 1000n + BigInt(json.slice(23, 26));
  }
  throw new DocumentError('MALFORMED_VALUE', path, 'is not a time such as 2026-12-05T00:00:00.000000Z');
}

/** Writes a time so that {@link parseInstant} reads it back. */
export function formatInstant(microseconds: bigint): string {
  const beyond = ((microseconds % 1000n) + 1000n) % 1000n;
  const milliseconds = Number((microseconds - beyond) / 1000n);
  return `${new Date(milliseconds).toISOString().slice(0, -1)}${beyond.toString().padStart(3, '0')}Z`;
}

/**
 * How far the clock of an agent may differ from that of the service, in microseconds: 5 seconds. It applies to the approval,
 * the expiry and the receipt, whose times are the service's. Times of an agent are compared with each other exactly.
 */
export const CLOCK_TOLERANCE = 5_000_000n;

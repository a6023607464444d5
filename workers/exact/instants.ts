import { DocumentError } from './document-error.ts';

/** UTC with six decimals: the one form in which times are stored and compared. */
export const INSTANT_PATTERN = '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$';
/** What clients write: up to six decimals, in UTC or with an offset. */
export const RFC_3339_PATTERN =
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,6})?(?:Z|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])$';

const INSTANT = new RegExp(INSTANT_PATTERN);
const RFC_3339 = new RegExp(RFC_3339_PATTERN);

/**
 * Reads a time of RFC 3339, in UTC with six decimals.
 * @returns microseconds since 1970
 * @throws {DocumentError} MALFORMED_VALUE, also for a day or an hour that does not exist
 */
export function parseInstant(json: unknown, path: string): bigint {
  const instant = typeof json === 'string' && INSTANT.test(json) ? readInstant(json) : undefined;
  if (instant !== undefined) return instant;
  throw new DocumentError('MALFORMED_VALUE', path, 'is not a time such as 2026-12-05T00:00:00.000000Z');
}

/**
 * Reads a time of RFC 3339 with at most six decimals and any offset.
 * @returns microseconds since 1970; undefined if the text is no such time, or a day or an hour that does not exist
 */
export function readInstant(text: string): bigint | undefined {
  if (!RFC_3339.test(text)) return undefined;
  const seconds = text.slice(0, 19);
  const local = Date.parse(`${seconds}Z`);
  // Date.parse reads February 30 as March 2, and hour 24 as the next day.
  if (Number.isNaN(local) || !new Date(local).toISOString().startsWith(seconds)) return undefined;
  const zone = text.endsWith('Z') ? 'Z' : text.slice(-6);
  const fraction = text.slice(20, -zone.length);
  const instant = BigInt(Date.parse(seconds + zone)) * 1000n + BigInt(fraction.padEnd(6, '0'));
  return instant < INSTANTS.min || instant > INSTANTS.max ? undefined : instant;
}

/** The years 0 to 9999, in microseconds since 1970. */
export const INSTANTS = { min: -62_167_219_200_000_000n, max: 253_402_300_799_999_999n } as const;

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

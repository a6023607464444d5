const DAY_MS = 86_400_000;

/** The UTC day of a time in milliseconds since the epoch. */
export const dayAt = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** The UTC day of a UUIDv7 (RFC 9562, section 5.7: its first 48 bits are milliseconds since the epoch). */
export function dayOf(recordId: string): string {
  return dayAt(Number.parseInt(recordId.slice(0, 8) + recordId.slice(9, 13), 16));
}

/** When the bodies of a day are due for deletion: every record of the day is then older than `days` days. */
export const deletedAfterMs = (day: string, days: number): number => Date.parse(day) + (1 + days) * DAY_MS;

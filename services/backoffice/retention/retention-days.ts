import { Type } from 'typebox';

const DAY_MS = 86_400_000;
const MAX_DAYS = 36_500;

/** Setting: how long bodies are kept. */
export const RetentionDays = Type.Integer({
  default: 30,
  minimum: 1,
  maximum: MAX_DAYS,
  description: 'days after which retained bodies are deleted, in whole UTC days',
});

/** Environment of the command line. */
export const RetentionDaysConfig = Type.Object({ RETENTION_DAYS: RetentionDays });

/** The UTC day of a time in milliseconds since the epoch. */
export const dayAt = (atMs: number): string => new Date(atMs).toISOString().slice(0, 10);

/** The UTC day of a UUIDv7 (RFC 9562, section 5.7: its first 48 bits are milliseconds since the epoch). */
export function dayOf(recordId: string): string {
  return dayAt(Number.parseInt(recordId.slice(0, 8) + recordId.slice(9, 13), 16));
}

/** When the bodies of a day are due for deletion: every record of the day is then older than `days` days. */
export const deletedAfterMs = (day: string, days: number): number => Date.parse(day) + (1 + days) * DAY_MS;

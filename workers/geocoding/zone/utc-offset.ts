const MINUTE_MS = 60_000;

interface Clock {
  readonly format: Intl.DateTimeFormat;
  minute: number;
  offset: string;
}

/** There are some 600 zones. */
const clocks = new Map<string, Clock>();

/** Offset of an IANA zone from UTC at an instant, such as +05:45; of those with seconds, before 1972, the minutes. */
export function utcOffsetAt(timeZone: string, atMs: number): string {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    clock = { format, minute: Number.NaN, offset: '' };
    clocks.set(timeZone, clock);
  }
  // Offsets change on whole minutes.
  const minute = Math.floor(atMs / MINUTE_MS);
  if (clock.minute !== minute) {
    clock.minute = minute;
    clock.offset = readOffset(clock.format, atMs);
  }
  return clock.offset;
}

function readOffset(format: Intl.DateTimeFormat, atMs: number): string {
  const name = format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // GMT alone is UTC itself.
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00';
}

import { defined } from '../../exact/defined.ts';

const MINUTE_MS = 60_000;

interface Clock {
  readonly format: Intl.DateTimeFormat;
  minute: number;
  offset: string;
}

/** One entry for each zone. There are about 600. */
const clocks = new Map<string, Clock>();

/** The offset of an IANA zone from UTC at an instant, such as +05:45. Seconds of offsets before 1972 are left out. */
export function utcOffsetAt(timeZone: string, atMs: number): string {
  let clock = clocks.get(timeZone);
  if (clock === undefined) {
    const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
    clock = { format, minute: Number.NaN, offset: '' };
    clocks.set(timeZone, clock);
  }
  // Offsets only change on whole minutes.
  const minute = Math.floor(atMs / MINUTE_MS);
  if (clock.minute !== minute) {
    clock.minute = minute;
    clock.offset = readOffset(clock.format, atMs);
  }
  return clock.offset;
}

function readOffset(format: Intl.DateTimeFormat, atMs: number): string {
  const name = defined(format.formatToParts(atMs).find(({ type }) => type === 'timeZoneName')).value;
  // UTC itself is named GMT, without an offset.
  return /[+-]\d\d:\d\d/.exec(name)?.[0] ?? '+00:00';
}

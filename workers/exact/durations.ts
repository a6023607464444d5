/** Most microseconds of a duration: more than from the first to the last time. */
const LONGEST = 10n ** 18n;

const MICROSECONDS: Readonly<Record<string, bigint>> = {
  us: 1n,
  ms: 1_000n,
  s: 1_000_000n,
  m: 60_000_000n,
  h: 3_600_000_000n,
};
const PART = /([0-9]{1,12})(?:\.([0-9]{1,6}))?(us|ms|s|m|h)/y;

/** Microseconds of a duration such as `24h`, `1h30m` or `-1.5s`. Undefined if it is not one, or not exact. */
export function toMicroseconds(text: string): bigint | undefined {
  const isNegative = text.startsWith('-');
  const parts = isNegative ? text.slice(1) : text;
  if (parts === '' || parts.length > 100) return undefined;
  let total = 0n;
  PART.lastIndex = 0;
  while (PART.lastIndex < parts.length) {
    const match = PART.exec(parts);
    if (match === null) return undefined;
    const [, whole = '', fraction = '', unit = ''] = match;
    const scaled = BigInt(whole + fraction) * (MICROSECONDS[unit] ?? 0n);
    const divisor = 10n ** BigInt(fraction.length);
    if (scaled % divisor !== 0n) return undefined;
    total += scaled / divisor;
  }
  return total > LONGEST ? undefined : isNegative ? -total : total;
}

/** `24h`, `1h30m`, `0s`: the shortest text that {@link toMicroseconds} reads back. */
export function describeMicroseconds(microseconds: bigint): string {
  if (microseconds === 0n) return '0s';
  let left = microseconds < 0n ? -microseconds : microseconds;
  let text = microseconds < 0n ? '-' : '';
  for (const unit of ['h', 'm', 's', 'ms', 'us'] as const) {
    const size = MICROSECONDS[unit] ?? 1n;
    if (left >= size) text += `${left / size}${unit}`;
    left %= size;
  }
  return text;
}

/** Describes a clock skew: "the clock of this machine is 35.0 s behind that of PostgreSQL". A positive `skewMs` is ahead. */
export function describeSkew(skewMs: number, server: string): string {
  const seconds = (Math.abs(skewMs) / 1000).toFixed(1);
  return `the clock of this machine is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} that of ${server}`;
}

/** The most that a count says. */
const MOST_COUNTED = 10_000;

export const count = (number: number): string =>
  number > MOST_COUNTED ? `more than ${MOST_COUNTED.toLocaleString('en')}` : number.toLocaleString('en');

export const usd = (microUsd: number): string => `USD ${(microUsd / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

export const time = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

const WEI_DIGITS = 18;

/** Wei as the coin of the chain, with six decimals. */
export function coins(wei: string): string {
  const padded = wei.padStart(WEI_DIGITS + 1, '0');
  return `${padded.slice(0, -WEI_DIGITS)}.${padded.slice(-WEI_DIGITS, -WEI_DIGITS + 6)}`;
}

/** How long ago, in the largest unit that fits. */
export function age(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export const bytes = (size: number): string =>
  size < 2 ** 20 ? `${Math.ceil(size / 2 ** 10)} KiB` : `${(size / 2 ** 20).toFixed(1)} MiB`;

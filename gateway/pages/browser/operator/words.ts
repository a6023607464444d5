/** The most that a count says. */
const MOST_COUNTED = 10_000;

export const count = (number: number): string =>
  number > MOST_COUNTED ? `more than ${MOST_COUNTED.toLocaleString('en')}` : number.toLocaleString('en');

/** @param noun in the singular; its plural ends with s */
export const quantity = (number: number, noun: string): string =>
  number === 0 ? `no ${noun}s` : `${count(number)} ${noun}${number === 1 ? '' : 's'}`;

export const usd = (microUsd: number): string => `USD ${(microUsd / 1e6).toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`;

export const time = (iso: string): string => `${iso.slice(0, 19).replace('T', ' ')} UTC`;

const WEI_DIGITS = 18;

/** Wei as ETH, with up to six decimals. */
export function coins(wei: string): string {
  const padded = wei.padStart(WEI_DIGITS + 1, '0');
  const decimals = padded.slice(-WEI_DIGITS, -WEI_DIGITS + 6).replace(/0+$/, '');
  return `${BigInt(padded.slice(0, -WEI_DIGITS)).toLocaleString('en')}${decimals && `.${decimals}`} ETH`;
}

/** How long ago, in the largest unit that fits. */
export function age(seconds: number): string {
  if (seconds < 120) return `${Math.max(0, Math.round(seconds))} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} days`;
}

export const bytes = (size: number): string =>
  size < 2 ** 20 ? `${Math.ceil(size / 2 ** 10)} KiB` : `${(size / 2 ** 20).toFixed(1)} MiB`;

/** A JSON object as words: each name, with its capitals and underscores as spaces, and its value. Any other text as it is. */
export function words(json: string): string {
  try {
    return spell(JSON.parse(json));
  } catch {
    return json;
  }
}

function spell(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value);
  const spaced = (name: string) => name.replace(/([a-z])([A-Z])|_/g, '$1 $2').toLowerCase();
  const entries = Object.entries(value);
  return entries.map(([name, of]) => `${Array.isArray(value) ? '' : `${spaced(name)} `}${spell(of)}`).join(', ');
}

const MICRO_USD = 1_000_000n;

/** An exact amount in USD, with two to six decimal places: 0.014. */
export function toUsd(microUsd: bigint): string {
  const fraction = String(microUsd % MICRO_USD)
    .padStart(6, '0')
    .replace(/0{1,4}$/, '');
  return `${microUsd / MICRO_USD}.${fraction}`;
}

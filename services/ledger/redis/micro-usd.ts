/** Lua counts in doubles: sums up to here are exact. */
const MAX_MICRO_USD = 2n ** 53n - 1n;

/** @throws {RangeError} */
export function assertAmount(microUsd: bigint, atLeast: bigint): void {
  if (microUsd < atLeast || microUsd > MAX_MICRO_USD)
    throw new RangeError(`amount out of range: ${microUsd} micro-USD`);
}

import { MAX_MICRO_USD } from '../contract/channels.ts';

/** @throws {RangeError} */
export function assertAmount(microUsd: bigint, atLeast: bigint): void {
  if (microUsd < atLeast || microUsd > MAX_MICRO_USD)
    throw new RangeError(`amount out of range: ${microUsd} micro-USD`);
}

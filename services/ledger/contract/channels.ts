/** The largest amount of a charge, voucher or deposit: readers of JSON count in doubles, and sums up to here are exact. */
export const MAX_MICRO_USD = 2n ** 53n - 1n;

/** The operation name stored with a refund's reservation. */
export const REFUND_OPERATION = 'channel-refund';

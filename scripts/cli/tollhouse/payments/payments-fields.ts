import type { PaymentClaim } from '../../../../services/store/payment-claims.ts';

/** The members of a claim in JSON. */
export function claimFields(claim: PaymentClaim) {
  const { amount, validBeforeS, createdAt, blockNumber, finalizedAt, lostAt, releasedAt, refundFinalizedAt } = claim;
  return {
    ...claim,
    amount: `${amount}`,
    validBeforeS: undefined,
    validBefore: new Date(Number(validBeforeS) * 1000).toISOString(),
    createdAt: createdAt.toISOString(),
    blockNumber: blockNumber === null ? null : Number(blockNumber),
    finalizedAt: timeOf(finalizedAt),
    lostAt: timeOf(lostAt),
    releasedAt: timeOf(releasedAt),
    refundFinalizedAt: timeOf(refundFinalizedAt),
    paymentResponse: undefined,
  };
}

const timeOf = (time: Date | null): string | null => (time === null ? null : time.toISOString());

const ATOMIC_PER_USD = 1_000_000n;

/** Atomic units as an amount of USDC, such as `0.003000 USDC`. */
export function usdc(amount: bigint): string {
  return `${amount / ATOMIC_PER_USD}.${`${amount % ATOMIC_PER_USD}`.padStart(6, '0')} USDC`;
}

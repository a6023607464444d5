import { formatUnits } from 'viem';
import type { PaymentClaim } from '../../../../services/store/payment-claims.ts';

/** The members of a claim in JSON. */
export function claimFields(claim: PaymentClaim) {
  const {
    amount,
    validBeforeS,
    createdAt,
    blockNumber,
    finalizedAt,
    lostAt,
    releasedAt,
    refundOpenedAt,
    refundFinalizedAt,
  } = claim;
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
    refundOpenedAt: timeOf(refundOpenedAt),
    refundFinalizedAt: timeOf(refundFinalizedAt),
    paymentResponse: undefined,
  };
}

const timeOf = (time: Date | null): string | null => (time === null ? null : time.toISOString());

const USDC_DIGITS = 6;

/** Atomic units in USDC, such as `0.003000`. */
export function toUsdc(amount: bigint): string {
  const [whole, part = ''] = formatUnits(amount, USDC_DIGITS).split('.');
  return `${whole}.${part.padEnd(USDC_DIGITS, '0')}`;
}

/** Atomic units as an amount of USDC, such as `0.003000 USDC`. */
export const usdc = (amount: bigint): string => `${toUsdc(amount)} USDC`;

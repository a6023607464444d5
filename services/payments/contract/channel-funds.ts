import type { ChannelClaim, ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { type ChannelAccount, MAX_MICRO_USD } from '../../ledger/contract/channels.ts';

/** What the contract holds, without what a withdrawal that was started would take, in micro-USD. */
export function usableOf({ balance, withdrawAmount }: ContractChannel): bigint {
  const left = BigInt(balance) - (withdrawAmount === '' ? 0n : BigInt(withdrawAmount));
  const usable = left < 0n ? 0n : left;
  // The ledger counts exactly up to there.
  return usable < MAX_MICRO_USD ? usable : MAX_MICRO_USD;
}

/**
 * The claim of what a channel was charged. Undefined before the first charge, and while the voucher is for more, because a
 * claim makes it public and it can still pay for a call. Then a refund leaves what was charged in the contract.
 */
export function claimOf(channelId: string, { chargedMicroUsd, voucher }: ChannelAccount): ChannelClaim | undefined {
  if (voucher?.cumulativeMicroUsd !== chargedMicroUsd) return undefined;
  const { cumulativeMicroUsd, signature } = voucher;
  return {
    voucher: { channelId, maxClaimableAmount: String(cumulativeMicroUsd), signature },
    totalClaimed: String(chargedMicroUsd),
  };
}

import type { ChannelAccount } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { ChannelClaim, ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { MAX_MICRO_USD } from '../../ledger/contract/channels.ts';

/** What the contract holds, without what a withdrawal that was started would take, in micro-USD. */
export function usableOf({ balance, withdrawAmount }: ContractChannel): bigint {
  const left = BigInt(balance) - (withdrawAmount === '' ? 0n : BigInt(withdrawAmount));
  const usable = left < 0n ? 0n : left;
  // The ledger counts exactly up to there.
  return usable < MAX_MICRO_USD ? usable : MAX_MICRO_USD;
}

/**
 * The claim that a refund makes: of all that a channel was charged, if nothing else is left of it. Otherwise undefined, and
 * the refund leaves what was charged in the contract: a claim makes the latest voucher public, and then it no longer shows
 * who sends it.
 * @param voucher the latest one by default
 */
export function claimOf(
  channelId: string,
  { chargedMicroUsd, balanceMicroUsd, ...account }: ChannelAccount,
  voucher: ChannelAccount['voucher'] = account.voucher,
): ChannelClaim | undefined {
  if (balanceMicroUsd > 0n || voucher?.cumulativeMicroUsd !== chargedMicroUsd) return undefined;
  const { cumulativeMicroUsd, signature } = voucher;
  return {
    voucher: { channelId, maxClaimableAmount: String(cumulativeMicroUsd), signature },
    totalClaimed: String(chargedMicroUsd),
  };
}

import type { ChannelClaim, ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { type ChannelAccount, type ChannelFunds, MAX_MICRO_USD } from '../../ledger/contract/channels.ts';

/** What the contract holds, without what a withdrawal that was started would take. */
export function fundsOf({ channelId, balance, withdrawAmount, blockNumber }: ContractChannel): ChannelFunds {
  const left = BigInt(balance) - (withdrawAmount === '' ? 0n : BigInt(withdrawAmount));
  const usable = left < 0n ? 0n : left;
  // The ledger counts exactly up to there.
  return { channelId, usableMicroUsd: usable < MAX_MICRO_USD ? usable : MAX_MICRO_USD, block: blockNumber };
}

/**
 * Whether more was claimed on the chain than the ledger has charged. Then the ledger has lost charges, and credit for such a
 * channel could be spent twice. The account must have been read after the channel.
 */
export const hasLostCharges = ({ totalClaimed }: ContractChannel, { chargedMicroUsd }: ChannelAccount): boolean =>
  BigInt(totalClaimed) > chargedMicroUsd;

/** The claim of what a channel was charged. Undefined before the first charge. */
export function claimOf(channelId: string, { chargedMicroUsd, voucher }: ChannelAccount): ChannelClaim | undefined {
  if (voucher === undefined) return undefined;
  const { cumulativeMicroUsd, signature } = voucher;
  return {
    voucher: { channelId, maxClaimableAmount: String(cumulativeMicroUsd), signature },
    totalClaimed: String(chargedMicroUsd),
  };
}

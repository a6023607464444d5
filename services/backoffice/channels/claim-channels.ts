import type {
  ChannelClaim,
  ClaimChannelsResponse,
  ContractChannel,
} from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { ChannelAccount } from '../../ledger/contract/channels.ts';
import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { ClaimLimits, StoredVoucher, Vouchers } from './vouchers.ts';

export interface ClaimOptions {
  readonly vouchers: Vouchers;
  readonly ledger: Pick<Ledger, 'channels' | 'ready'>;
  readonly channels: Pick<ChannelsClient, 'claim'>;
  readonly limits: ClaimLimits;
  readonly logger: Logger;
}

/** Most channels of one transaction. */
export const BATCH = 100;
/** A claim waits until its block is final. */
const CLAIM_TIMEOUT_MS = 60_000;

/** Claims what channels were charged: after a time, above an amount, and at once if a withdrawal was started. */
export function createClaimChannels(options: ClaimOptions): (signal: AbortSignal) => Promise<void> {
  const { vouchers, limits } = options;
  return async (signal) => {
    const { at, vouchers: due } = await vouchers.due(limits);
    for (let from = 0; from < due.length && !signal.aborted; from += BATCH) {
      await claimVouchers(options, due.slice(from, from + BATCH), at);
    }
  };
}

/**
 * Claims what the ledger says was charged, of up to 100 channels.
 * @param at when the vouchers were read
 * @returns undefined where nothing was charged
 */
export async function claimVouchers(
  { vouchers, ledger, channels, logger }: Omit<ClaimOptions, 'limits'>,
  due: readonly StoredVoucher[],
  at: Date,
): Promise<ClaimChannelsResponse | undefined> {
  const postpone = async (ids: readonly string[]) => {
    // A ledger that has lost charges says that there is less to claim than there is.
    if (ids.length > 0 && ledger.ready().ok) await vouchers.postpone(ids, at);
  };
  const accounts = await ledger.channels(due.map(({ channelId }) => channelId));
  const claims = due.flatMap((voucher, i) => toClaim(voucher, defined(accounts[i])) ?? []);
  const claimed = new Set(claims.map(({ voucher }) => voucher?.channelId));
  const uncharged = due.map(({ channelId }) => channelId).filter((id) => !claimed.has(id));
  if (claims.length === 0) {
    await postpone(uncharged);
    return undefined;
  }
  const response = await channels.claim({ claims }, { timeoutMs: CLAIM_TIMEOUT_MS });
  const { transactions, channels: after, refusedIds } = response;
  await vouchers.noteClaimed(after, at);
  if (transactions.length > 0) logger.info({ transactions, channels: claims.length }, 'channels were claimed');
  for (const channelId of refusedIds) logger.error({ channelId }, 'the chain would revert the claim of a channel');
  for (const [i, channel] of after.entries()) reportLoss(logger, channel, defined(claims[i]));
  const ended = after.filter((channel, i) => isExhausted(channel, defined(claims[i])));
  await postpone([...uncharged, ...ended.map(({ channelId }) => channelId)]);
  return response;
}

/** Whether all that was charged, or all that the channel still holds, is claimed. */
const isExhausted = ({ balance, totalClaimed }: ContractChannel, claim: ChannelClaim): boolean =>
  BigInt(totalClaimed) >= BigInt(claim.totalClaimed) || BigInt(totalClaimed) >= BigInt(balance);

/** What was charged is claimed, and never more. A voucher is stored before its call is charged, so it may be for more. */
function toClaim(
  { channelId, cumulativeMicroUsd, signature }: StoredVoucher,
  { chargedMicroUsd }: ChannelAccount,
): ChannelClaim | undefined {
  if (chargedMicroUsd === 0n) return undefined;
  const total = chargedMicroUsd < cumulativeMicroUsd ? chargedMicroUsd : cumulativeMicroUsd;
  return {
    voucher: {
      channelId,
      maxClaimableAmount: `${cumulativeMicroUsd}`,
      signature: `0x${signature.toString('hex')}`,
    },
    totalClaimed: `${total}`,
  };
}

/** A withdrawal that ended before the claim took what was charged. */
function reportLoss(logger: Logger, { channelId, balance, totalClaimed }: ContractChannel, claim: ChannelClaim): void {
  const isLost = BigInt(claim.totalClaimed) > BigInt(balance);
  if (isLost)
    logger.error({ channelId, charged: claim.totalClaimed, balance, totalClaimed }, 'a channel lost its funds');
}

import type {
  ChannelClaim,
  ClaimChannelsResponse,
  ContractChannel,
} from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { VoucherCipher } from '../../ledger/store/voucher-cipher.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { ClaimLimits, StoredVoucher, Vouchers } from './vouchers.ts';

export interface ClaimOptions {
  readonly vouchers: Vouchers;
  readonly cipher: Pick<VoucherCipher, 'open'>;
  readonly channels: Pick<ChannelsClient, 'claim'>;
  readonly limits: ClaimLimits;
  readonly logger: Logger;
}

/** Most channels of one transaction. */
export const BATCH = 100;
/** A claim waits until its block is final. */
export const CLAIM_TIMEOUT_MS = 60_000;

/** Claims what can be claimed of channels: after a time, above an amount, and at once what a withdrawal would take. */
export function createClaimChannels(options: ClaimOptions): (signal: AbortSignal) => Promise<void> {
  const { vouchers, limits, logger } = options;
  const logError = createRepeatedErrorLog({ logger, message: 'channels could not be claimed now' });
  return async (signal) => {
    const tried = new Set<string>();
    while (!signal.aborted) {
      // Read again for each transaction: a withdrawal that was started meanwhile comes first.
      const { at, vouchers: due } = await vouchers.due(limits);
      const batch = due.filter((voucher) => !tried.has(nameOf(voucher))).slice(0, BATCH);
      if (batch.length === 0) return;
      for (const voucher of batch) tried.add(nameOf(voucher));
      await claimVouchers(options, batch, at).catch((error: unknown) => logError(error));
    }
  };
}

const nameOf = ({ channelId, totalMicroUsd }: StoredVoucher) => `${channelId} ${totalMicroUsd}`;

interface Claim extends StoredVoucher {
  readonly message: ChannelClaim;
}

/**
 * Claims up to 100 channels.
 * @param at when the vouchers were read
 * @returns undefined if no voucher can be opened
 */
export async function claimVouchers(
  options: Omit<ClaimOptions, 'limits'>,
  due: readonly StoredVoucher[],
  at: Date,
): Promise<ClaimChannelsResponse | undefined> {
  const { vouchers, channels, logger } = options;
  const claims = due.flatMap((voucher) => toClaim(options, voucher) ?? []);
  const opened = new Set(claims.map(({ channelId }) => channelId));
  const unreadable = due.map(({ channelId }) => channelId).filter((id) => !opened.has(id));
  if (unreadable.length > 0) await vouchers.postpone(unreadable, at);
  if (claims.length === 0) return undefined;
  const response = await channels.claim(
    { claims: claims.map(({ message }) => message) },
    { timeoutMs: CLAIM_TIMEOUT_MS },
  );
  const { transactions, channels: after, refusedIds } = response;
  if (transactions.length > 0) logger.info({ transactions, channels: claims.length }, 'channels were claimed');
  for (const channelId of refusedIds)
    logger.error({ channelId }, 'the claim of a channel would be reverted, or its configuration is lost');
  if (refusedIds.length > 0) await vouchers.postpone(refusedIds, at);
  const results = after.map((channel, i) => ({ channel, claim: defined(claims[i]) }));
  for (const result of results) reportLoss(logger, result);
  await noteResults(vouchers, results, at);
  return response;
}

interface Result {
  readonly channel: ContractChannel;
  readonly claim: Claim;
}

async function noteResults(vouchers: Vouchers, results: readonly Result[], at: Date): Promise<void> {
  const idsOf = (found: readonly Result[]) => found.map(({ claim }) => claim.channelId);
  const claimed = results.filter(({ channel, claim }) => BigInt(channel.totalClaimed) > claim.claimedMicroUsd);
  if (claimed.length > 0) await vouchers.noteClaimed(idsOf(claimed), at);
  // A withdrawal took the rest, so that nothing more can be claimed.
  const ended = results.filter(({ channel }) => BigInt(channel.totalClaimed) >= BigInt(channel.balance));
  if (ended.length > 0) await vouchers.postpone(idsOf(ended), at);
}

/** @returns undefined for a voucher that cannot be opened. */
export function toClaim(
  { cipher, logger }: Pick<ClaimOptions, 'cipher' | 'logger'>,
  voucher: StoredVoucher,
): Claim | undefined {
  const { channelId, totalMicroUsd, signedMicroUsd } = voucher;
  try {
    const message = {
      voucher: { channelId, maxClaimableAmount: `${signedMicroUsd}`, signature: cipher.open(channelId, voucher) },
      totalClaimed: `${totalMicroUsd}`,
    };
    return { ...voucher, message };
  } catch (err) {
    logger.error({ err, channelId }, 'the voucher of a channel cannot be opened, so the channel is not claimed');
    return undefined;
  }
}

/** A withdrawal that ended before the claim took what was charged. */
function reportLoss(logger: Logger, { channel, claim: { channelId, totalMicroUsd } }: Result): void {
  const { balance, totalClaimed } = channel;
  if (totalMicroUsd > BigInt(balance))
    logger.error({ channelId, charged: `${totalMicroUsd}`, balance, totalClaimed }, 'a channel lost its funds');
}

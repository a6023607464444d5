import type { ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { ChannelAccount, ChannelLedger } from '../../../services/ledger/contract/channels.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { channelUnavailable } from './channel-answers.ts';
import { usableOf } from './channel-mirror.ts';

export interface FundingDeps {
  readonly ledger: Pick<ChannelLedger, 'fund' | 'channels'>;
  readonly logger: Logger;
}

/** The account of a channel. @throws {AppError} PAYMENT_UNAVAILABLE */
export async function readAccount({ ledger }: FundingDeps, channelId: string): Promise<ChannelAccount> {
  const [account] = await ledger.channels([channelId]).catch((cause: unknown) => {
    throw channelUnavailable(cause);
  });
  return defined(account);
}

/**
 * Sets the credit of a channel to what the contract says. A ledger that knows fewer charges than were claimed has lost
 * charges: its channel must not spend the same deposit twice, so it stays closed until an operator restores the ledger.
 * @throws {AppError} PAYMENT_UNAVAILABLE
 */
export async function fundChannel(
  deps: FundingDeps,
  channel: ContractChannel,
  { known, refundId }: { readonly known: ChannelAccount; readonly refundId?: string },
): Promise<ChannelAccount> {
  const { ledger, logger } = deps;
  const { channelId, totalClaimed, blockNumber } = channel;
  const claimed = BigInt(totalClaimed);
  // Charges may have been made and claimed since the account was read.
  if (claimed > known.chargedMicroUsd && claimed > (await readAccount(deps, channelId)).chargedMicroUsd) {
    logger.error({ channelId, totalClaimed }, 'the ledger has lost charges of a channel: restore it');
    throw channelUnavailable();
  }
  const funds = { channelId, usableMicroUsd: usableOf(channel), block: blockNumber };
  try {
    return await ledger.fund({ ...funds, ...(refundId === undefined ? {} : { refundId }) });
  } catch (cause) {
    throw channelUnavailable(cause);
  }
}

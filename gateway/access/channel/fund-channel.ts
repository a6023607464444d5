import type { ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { ChannelAccount, ChannelLedger } from '../../../services/ledger/contract/channels.ts';
import { fundsOf, hasLostCharges } from '../../../services/payments/contract/channel-funds.ts';
import type { Logger } from '../../../services/platform/process/logger.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { channelUnavailable } from './channel-answers.ts';

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
  const { channelId, totalClaimed } = channel;
  // Charges may have been made and claimed since the account was read.
  if (hasLostCharges(channel, known) && hasLostCharges(channel, await readAccount(deps, channelId))) {
    logger.error({ channelId, totalClaimed }, 'the ledger has lost charges of a channel: restore it');
    throw channelUnavailable();
  }
  try {
    return await ledger.fund({ ...fundsOf(channel), ...(refundId === undefined ? {} : { refundId }) });
  } catch (cause) {
    throw channelUnavailable(cause);
  }
}

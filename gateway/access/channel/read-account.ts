import type { ChannelAccount } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { LedgerClient } from '../../../services/ledger/contract/client.ts';
import { defined } from '../../../workers/exact/defined.ts';
import { channelUnavailable } from './channel-answers.ts';

export interface AccountDeps {
  readonly ledger: Pick<LedgerClient, 'channels'>;
}

/** The account of a channel. @throws {AppError} PAYMENT_UNAVAILABLE */
export async function readAccount({ ledger }: AccountDeps, channelId: string): Promise<ChannelAccount> {
  const [account] = await ledger.channels([channelId]).catch((cause: unknown) => {
    throw channelUnavailable(cause);
  });
  return defined(account);
}

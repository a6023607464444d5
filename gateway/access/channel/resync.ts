import type { ChannelAccount } from '../../../services/ledger/contract/channels.ts';
import { fundsOf } from '../../../services/payments/contract/channel-funds.ts';
import { createFailureWindows } from '../../http/failure-windows.ts';
import type { ChannelIdentity, ChannelMirror } from './channel-mirror.ts';
import { type FundingDeps, fundChannel } from './fund-channel.ts';

/**
 * Funds a channel with what the contract says if the ledger does not know all of it: after a deposit through another
 * server, or that was final too late. @returns whether the channel has more credit than before
 */
export type Resync = (channel: ChannelIdentity, client: string, known: ChannelAccount) => Promise<boolean>;

export interface ResyncDeps extends FundingDeps {
  readonly mirror: ChannelMirror;
  readonly monotonicMs: () => number;
}

/** Anyone can sign vouchers of channels that do not exist. What they may cost the node is limited. */
const PER_CLIENT = { max: 10, windowMs: 60_000, capacity: 10_000 };
const PER_CHANNEL = { max: 1, windowMs: 10_000, capacity: 10_000 };
const AT_THE_SAME_TIME = 4;

export function createResync({ mirror, monotonicMs, ...deps }: ResyncDeps): Resync {
  const clients = createFailureWindows({ ...PER_CLIENT, monotonicMs });
  const asked = createFailureWindows({ ...PER_CHANNEL, monotonicMs });
  let running = 0;
  return async (channel, client, known) => {
    const { channelId } = channel;
    const isBlocked = clients.blockedMs(client) !== undefined || asked.blockedMs(channelId) !== undefined;
    if (isBlocked || running >= AT_THE_SAME_TIME) return false;
    clients.add(client);
    asked.add(channelId);
    running += 1;
    try {
      const found = await mirror.refresh(channel).catch(() => undefined);
      // An account without credit would only let strangers fill the ledger.
      if (found === undefined || fundsOf(found).usableMicroUsd <= known.fundedMicroUsd) return false;
      const { fundedMicroUsd } = await fundChannel(deps, found, { known });
      return fundedMicroUsd > known.fundedMicroUsd;
    } finally {
      running -= 1;
    }
  };
}

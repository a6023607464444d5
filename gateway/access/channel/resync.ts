import type { ChannelAccount } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { usableOf } from '../../../services/payments/contract/channel-funds.ts';
import { createFailureWindows } from '../../http/failure-windows.ts';
import { CALL_WAITS_MS, type ChannelIdentity, type ReadContract } from './read-contract.ts';

/**
 * Reads a channel from the contract if the ledger may not know all of its credit: after a deposit through another server,
 * or that was final too late. @returns whether the channel has more credit than before
 */
export type Resync = (channel: ChannelIdentity, client: string, known: ChannelAccount) => Promise<boolean>;

export interface ResyncDeps {
  readonly readContract: ReadContract;
  readonly monotonicMs: () => number;
}

/** Anyone can sign vouchers of channels that do not exist. What they may cost the node is limited. */
const PER_CLIENT = { max: 10, windowMs: 60_000, capacity: 10_000 };
const PER_CHANNEL = { max: 1, windowMs: 10_000, capacity: 10_000 };
const AT_THE_SAME_TIME = 4;

export function createResync({ readContract, monotonicMs }: ResyncDeps): Resync {
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
      // The payments service stores what it reads, and the ledger reads that.
      const found = await readContract(channel, CALL_WAITS_MS).catch(() => undefined);
      return found !== undefined && usableOf(found) > known.fundedMicroUsd;
    } finally {
      running -= 1;
    }
  };
}

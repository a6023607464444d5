import type {
  ContractChannel,
  ChannelConfig as WireConfig,
} from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { ChannelConfig } from '../../../services/payments/contract/channel-ids.ts';
import type { ChannelsClient } from '../../../services/payments/contract/channels-client.ts';
import { withChecksum } from '../../../services/platform/ethereum/address.ts';

export interface ChannelIdentity {
  readonly channelId: string;
  readonly config: ChannelConfig;
}

/**
 * Reads a channel from the contract. The payments service remembers its configuration, and stores what it reads for the
 * ledger.
 * @throws {CallError}
 */
export type ReadContract = (channel: ChannelIdentity, timeoutMs: number) => Promise<ContractChannel>;

/** A call waits for this before it is denied. */
export const CALL_WAITS_MS = 2000;
/** A deposit or a refund, which takes longer itself, waits for what it depends on. */
export const DECIDED_WITHIN_MS = 10_000;

/** All that ask about a channel at the same time wait for the same answer. */
export function createContractReader(channels: Pick<ChannelsClient, 'read'>): ReadContract {
  const reads = new Map<string, Promise<ContractChannel>>();
  return (identity, timeoutMs) => {
    const { channelId } = identity;
    const running = reads.get(channelId);
    if (running !== undefined) return running;
    const read = readChannel(channels, identity, timeoutMs).finally(() => reads.delete(channelId));
    reads.set(channelId, read);
    return read;
  };
}

async function readChannel(
  channels: Pick<ChannelsClient, 'read'>,
  { channelId, config }: ChannelIdentity,
  timeoutMs: number,
): Promise<ContractChannel> {
  const request = { channelIds: [channelId], configs: [toWireConfig(config)] };
  const [channel] = (await channels.read(request, { timeoutMs })).channels;
  if (channel === undefined) throw new Error('the payments service answered without the channel');
  return channel;
}

export function toWireConfig(config: ChannelConfig): WireConfig {
  return {
    payer: withChecksum(config.payer),
    payerAuthorizer: withChecksum(config.payerAuthorizer),
    receiver: withChecksum(config.receiver),
    receiverAuthorizer: withChecksum(config.receiverAuthorizer),
    token: withChecksum(config.token),
    withdrawDelaySeconds: BigInt(config.withdrawDelaySeconds),
    salt: config.salt,
  };
}

import type {
  ContractChannel,
  ChannelConfig as WireConfig,
} from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { usableOf } from '../../../services/payments/contract/channel-funds.ts';
import type { ChannelConfig } from '../../../services/payments/contract/channel-ids.ts';
import type { ChannelsClient } from '../../../services/payments/contract/channels-client.ts';
import { withChecksum } from '../../../services/platform/ethereum/address.ts';

export interface ChannelIdentity {
  readonly channelId: string;
  readonly config: ChannelConfig;
}

/**
 * What the contract last said about channels, for the state that answers show. No decision depends on it: the ledger
 * decides, by what the payments service has stored. It may be as old as `FRESH_MS`, except that a balance
 * other than the one in the ledger is read again.
 */
export interface ChannelMirror {
  /** Undefined if the payments service does not answer. Never rejects. */
  read(channel: ChannelIdentity, fundedMicroUsd: bigint): Promise<ContractChannel | undefined>;
  /** Asks the payments service, which remembers the configuration. @throws {CallError} */
  refresh(channel: ChannelIdentity, timeoutMs: number): Promise<ContractChannel>;
  put(channel: ContractChannel): void;
}

export interface ChannelMirrorOptions {
  readonly channels: Pick<ChannelsClient, 'read'>;
  readonly monotonicMs: () => number;
  /** Channels that are remembered. The least recently used one is forgotten. */
  readonly capacity?: number;
}

interface Entry {
  readonly channel: ContractChannel | undefined;
  readonly askedMs: number;
}

const CAPACITY = 10_000;
/** The package of the scheme trusts its own copy for as long. */
const FRESH_MS = 300_000;
/** Least time between two questions about a channel. */
const PAUSE_MS = 5000;
/** An answer waits for this if nothing is known yet. */
export const SHOWN_WITHIN_MS = 2000;
/** A deposit or a refund, which takes longer itself, waits for what it depends on. */
export const DECIDED_WITHIN_MS = 10_000;

export function createChannelMirror(options: ChannelMirrorOptions): ChannelMirror {
  const { channels, monotonicMs, capacity = CAPACITY } = options;
  const entries = new Map<string, Entry>();
  const reads = new Map<string, Promise<ContractChannel>>();

  function remember(channelId: string, channel: ContractChannel | undefined): void {
    entries.delete(channelId);
    entries.set(channelId, { channel, askedMs: monotonicMs() });
    const [oldest] = entries.keys();
    if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
  }

  function put(channel: ContractChannel): void {
    const known = entries.get(channel.channelId)?.channel;
    const isLater = known === undefined || known.blockNumber <= channel.blockNumber;
    remember(channel.channelId, isLater ? channel : known);
  }

  /** Everyone who asks about a channel at the same time waits for the same answer. */
  function refresh(identity: ChannelIdentity, timeoutMs: number): Promise<ContractChannel> {
    const { channelId } = identity;
    const running = reads.get(channelId);
    if (running !== undefined) return running;
    const read = readChannel(channels, identity, timeoutMs)
      .then((channel) => {
        put(channel);
        return channel;
      })
      .finally(() => reads.delete(channelId));
    reads.set(channelId, read);
    return read;
  }

  return {
    put,
    refresh,
    async read(identity, fundedMicroUsd) {
      const entry = entries.get(identity.channelId);
      // Strangers can sign vouchers of any number of channels that do not exist.
      if (entry === undefined && fundedMicroUsd === 0n) return undefined;
      const ageMs = entry === undefined ? Infinity : monotonicMs() - entry.askedMs;
      const known = entry?.channel;
      if (ageMs < PAUSE_MS) return known;
      const isCurrent = known !== undefined && usableOf(known) === fundedMicroUsd;
      if (isCurrent && ageMs < FRESH_MS) return known;
      const refreshed = refresh(identity, SHOWN_WITHIN_MS).catch(() => {
        remember(identity.channelId, known);
        return known;
      });
      return isCurrent ? known : refreshed;
    },
  };
}

async function readChannel(
  channels: ChannelMirrorOptions['channels'],
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

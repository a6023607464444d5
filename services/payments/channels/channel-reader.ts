import type { Hex } from 'viem';
import { ServiceError } from '../../platform/grpc/service-error.ts';
import { decide } from '../chain/nodes.ts';
import type { Block } from '../chain/rpc.ts';
import type { ChannelConfig } from './channel-config.ts';
import type { ChannelContext } from './channel-context.ts';
import { readEvents } from './contract-logs.ts';
import { type ChannelState, readStates } from './contract-reader.ts';

/** Blocks whose events one call reads. */
const MAX_BLOCKS = 10_000n;

/**
 * Reads channels at the latest final block, and stores what it read. Every method throws if the node that is asked lacks
 * blocks that the watch has read.
 */
export function createChannelReader(context: ChannelContext) {
  const { rpc, channels: records, typedData } = context;
  return {
    /** Answers no earlier state than what is stored. */
    async read(channelIds: readonly Hex[]): Promise<readonly ChannelState[]> {
      const states = await decide(async () => readStates(rpc, channelIds, (await readFinal(context)).number));
      await records.note(states);
      return records.latest(states);
    },
    /** Stores the configurations of channels that have a balance. @throws {ServiceError} INVALID_ARGUMENT for those of others */
    async remember(configs: readonly ChannelConfig[]): Promise<void> {
      for (const config of configs) checkConfig(context, config);
      const given = configs.map((config) => ({ id: typedData.channelIdOf(config), config }));
      const known = await records.configs(given.map(({ id }) => id));
      const added = given.filter(({ id }) => !known.has(id));
      if (added.length === 0) return;
      const ids = added.map(({ id }) => id);
      const { final, states } = await decide(async () => {
        const { number } = await readFinal(context);
        return { final: number, states: await readStates(rpc, ids, number) };
      });
      // Strangers can make up any number of channels without a deposit.
      for (const [i, { id, config }] of added.entries()) {
        if (states[i] !== undefined && states[i].balance > 0n) await records.remember(id, config, final);
      }
      await records.note(states);
    },
    /** The channels that changed since a block, those with a withdrawal that was started, and those that are new to it. */
    watch: (fromBlock: bigint) => decide(() => watch(context, fromBlock)),
  };
}

async function watch(context: ChannelContext, fromBlock: bigint) {
  const { rpc, channels: records, terms, now } = context;
  // The node of the sandbox has all blocks, and makes one only for a transaction.
  const timeOf = ({ timestamp }: Block) => (terms.sandbox ? BigInt(Math.floor(now() / 1000)) : timestamp);
  // Read before the ids: what happens in a channel that is stored after them is in a later block, unless it was read
  // from a node that lacked this one. So channels that are new to the watch are read again.
  const final = await readFinal(context, fromBlock);
  const first = fromBlock === 0n ? await records.firstBlock() : fromBlock;
  const from = first ?? final.number + 1n;
  const end = from + MAX_BLOCKS - 1n;
  const to = end < final.number ? end : final.number;
  const hash = to === final.number ? final.hash : undefined;
  const events = from > to ? [] : await readEvents(rpc, await records.ids(), { from, to, hash });
  const others = [...(await records.withdrawing()), ...(await records.readBefore(from - 1n))];
  const changed = new Set([...events.map(({ channelId }) => channelId), ...others]);
  const channels = await readStates(rpc, [...changed], final.number);
  await records.note(channels, { isWatched: true });
  // When the latest final block was the latest one. Undefined: later blocks are left to read.
  const endTimeS = to < final.number ? undefined : timeOf(final);
  return { channels, nextBlock: from > to ? from : to + 1n, endTimeS };
}

/** @throws {Error} if the node lacks a block that the watch has read: the state that it knows is of the past */
async function readFinal({ blocks, channels: records }: ChannelContext, fromBlock = 0n): Promise<Block> {
  const { confirmed } = await blocks.readHead();
  if (confirmed === undefined) throw new Error('the chain has no final block yet');
  const next = confirmed.number + 1n;
  if (next < fromBlock || next < (await records.watchedTo())) throw new Error('the node lacks blocks that were read');
  return confirmed;
}

/** Only channels that pay us can be claimed, with a signature of our key. */
function checkConfig({ terms, channelTerms }: ChannelContext, config: ChannelConfig): void {
  const isOurs =
    config.receiver === terms.payTo &&
    config.token === terms.asset &&
    config.receiverAuthorizer === channelTerms.receiverAuthorizer;
  if (!isOurs) throw new ServiceError('INVALID_ARGUMENT', 'the channel has another receiver, authorizer or token');
}

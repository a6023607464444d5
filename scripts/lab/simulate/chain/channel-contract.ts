import type { Hex } from 'viem';
import type { ChannelState } from '../../../../services/payments/channels/contract-reader.ts';
import type { World } from '../engine/world.ts';
import type { ContractFacts, Moved } from '../model/channel-facts.ts';

/** What became of a transaction: the amount that it moved, or that nothing was left to move. */
export type Mined = (Moved & { readonly channelId: Hex }) | 'refused';

/** The contract of payment channels, without the rest of its chain: a block for each transaction, and all are final. */
export interface ChannelContract {
  readonly block: () => bigint;
  readonly stateOf: (channelId: Hex) => ChannelState;
  /** Channels that changed in a block or later, and those with a withdrawal that was started. */
  readonly changedSince: (block: bigint) => readonly Hex[];
  /** Sends a transaction, once for each id. */
  readonly send: (sent: Sent) => void;
  /** Undefined while it is not mined. */
  readonly find: (id: string) => Mined | undefined;
  /** Nothing can be sent with this id any more, unless it was sent before. */
  readonly refuse: (id: string) => void;
  readonly isSent: (id: string) => boolean;
  /** Whether a refund of the channel is not mined yet. */
  readonly isRefunding: (channelId: Hex) => boolean;
  /** The payer takes back an amount. It is paid after a delay, except for what is claimed by then. */
  readonly withdraw: (channelId: Hex, amount: bigint) => void;
  /** Whether nothing is sent or withdrawn that has not ended. */
  readonly isQuiet: () => boolean;
  readonly facts: () => ContractFacts;
}

export interface Sent {
  readonly id: string;
  readonly channelId: Hex;
  readonly kind: 'deposit' | 'claim' | 'refund';
  readonly amount: bigint;
  /** A refund claims up to this total first. */
  readonly claimed?: bigint;
}

interface Channel {
  deposited: bigint;
  refunded: bigint;
  withdrawn: bigint;
  claimed: bigint;
  refundNonce: bigint;
  withdrawal: { readonly amount: bigint; readonly atMs: number } | undefined;
  block: bigint;
}

/** Shorter than any that the product accepts. */
const WITHDRAW_DELAY_MS = 300_000;
const LONGEST_MS = 120_000;
const FIRST_BLOCK = 100n;

const balanceOf = ({ deposited, refunded, withdrawn }: Channel): bigint => deposited - refunded - withdrawn;
const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);
const positive = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

export function createChannelContract(world: World): ChannelContract {
  const { random } = world;
  const channels = new Map<Hex, Channel>();
  const transactions = new Map<string, { readonly sent: Sent | undefined; mined: Mined | undefined }>();
  let block = FIRST_BLOCK;
  const channelOf = (id: Hex): Channel => {
    const known = channels.get(id);
    if (known !== undefined) return known;
    const created: Channel = {
      deposited: 0n,
      refunded: 0n,
      withdrawn: 0n,
      claimed: 0n,
      refundNonce: 0n,
      withdrawal: undefined,
      block,
    };
    channels.set(id, created);
    return created;
  };
  const change = (channelId: Hex, run: (channel: Channel) => bigint): Mined => {
    block += 1n;
    const channel = channelOf(channelId);
    channel.block = block;
    const amount = run(channel);
    world.note(() => `block ${block}: ${channelId.slice(0, 10)} has ${balanceOf(channel)}, claimed ${channel.claimed}`);
    return amount === 0n ? 'refused' : { transaction: `0x${block.toString(16).padStart(64, '0')}`, channelId, amount };
  };
  /** Never lowers the total, and never claims what the channel does not hold. */
  const claim = (channel: Channel, total: bigint): bigint => {
    const claimed = positive(least(total, balanceOf(channel)) - channel.claimed);
    channel.claimed += claimed;
    return claimed;
  };
  const mine = ({ channelId, kind, amount, claimed = 0n }: Sent): Mined =>
    change(channelId, (channel) => {
      if (kind === 'claim') return claim(channel, amount);
      if (kind === 'deposit') {
        channel.deposited += amount;
        return amount;
      }
      claim(channel, claimed);
      const refunded = least(amount, positive(balanceOf(channel) - channel.claimed));
      channel.refunded += refunded;
      channel.refundNonce += 1n;
      return refunded;
    });
  const openOf = (kind: Sent['kind'] | undefined, channelId: Hex | undefined) =>
    [...transactions.values()].some(
      ({ sent, mined }) =>
        mined === undefined &&
        (kind === undefined || sent?.kind === kind) &&
        (channelId === undefined || sent?.channelId === channelId),
    );

  return {
    block: () => block,
    stateOf(channelId) {
      const channel = channelOf(channelId);
      const { claimed: totalClaimed, refundNonce, withdrawal } = channel;
      const requested =
        withdrawal === undefined
          ? undefined
          : { amount: withdrawal.amount, requestedAtS: Math.floor(withdrawal.atMs / 1000) };
      return { channelId, balance: balanceOf(channel), totalClaimed, refundNonce, withdrawal: requested, block };
    },
    changedSince: (from) =>
      [...channels].flatMap(([id, { block: at, withdrawal }]) => (at >= from || withdrawal !== undefined ? [id] : [])),
    send(sent) {
      if (transactions.has(sent.id)) return;
      const transaction: { sent: Sent; mined: Mined | undefined } = { sent, mined: undefined };
      transactions.set(sent.id, transaction);
      // While a refund waits, calls try to spend its money.
      const waitMs = random.chance(sent.kind === 'refund' ? 0.7 : 0.2)
        ? random.between(3000, LONGEST_MS)
        : random.between(100, 3000);
      world.at(world.nowMs() + waitMs, () => {
        transaction.mined = mine(sent);
        world.count(`mined: ${sent.kind}`);
      });
    },
    find: (id) => transactions.get(id)?.mined,
    isSent: (id) => transactions.has(id),
    refuse: (id) => void transactions.set(id, { sent: undefined, mined: 'refused' }),
    isRefunding: (channelId) => openOf('refund', channelId),
    withdraw(channelId, amount) {
      change(channelId, (channel) => {
        channel.withdrawal = { amount, atMs: world.nowMs() };
        return amount;
      });
      world.count('withdrawal');
      world.at(world.nowMs() + WITHDRAW_DELAY_MS, () => {
        change(channelId, (channel) => {
          const taken = least(amount, positive(balanceOf(channel) - channel.claimed));
          channel.withdrawn += taken;
          channel.withdrawal = undefined;
          return taken;
        });
      });
    },
    isQuiet: () =>
      !openOf(undefined, undefined) && [...channels.values()].every(({ withdrawal }) => withdrawal === undefined),
    facts: () => ({
      channels,
      moved: [...transactions.values()].flatMap(({ mined }) =>
        mined === undefined || mined === 'refused' ? [] : mined,
      ),
    }),
  };
}

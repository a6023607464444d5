import { channel } from 'node:diagnostics_channel';
import type { RedisGuard } from '../../platform/redis/redis-guard.ts';
import {
  type ChannelAccount,
  type ChannelLedger,
  type ChargeOutcome,
  type HoldOutcome,
  REFUND_OPERATION,
} from '../contract/channels.ts';
import { voucherText } from '../contract/voucher-text.ts';
import { type ChannelReply, readChannels, readCharge, readFunded } from './channel-replies.ts';
import { type CallOptions, callOnce } from './function-calls.ts';
import type { Write } from './ledger-writes.ts';
import { assertAmount } from './micro-usd.ts';

export interface ChannelLedgerOptions {
  readonly write: Write;
  readonly call: CallOptions;
  readonly guard: Pick<RedisGuard, 'admit'>;
  /** Runs a read, and explains its failure. */
  readonly reading: <Value>(read: () => Promise<Value>) => Promise<Value>;
}

const step = channel('tollhouse:step');
const CHANNEL = /^0x[0-9a-f]{64}$/;
const NOTHING: ChannelAccount = {
  fundedMicroUsd: 0n,
  balanceMicroUsd: 0n,
  reservedMicroUsd: 0n,
  chargedMicroUsd: 0n,
  voucher: undefined,
};

/** The accounts of channels. One call of a channel follows the other, so they need no lock: the function decides. */
export function createChannelLedger({ write, call, guard, reading }: ChannelLedgerOptions): ChannelLedger {
  const reserve = async (
    args: readonly (string | number | bigint)[],
    read: (reply: ChannelReply) => ChargeOutcome | 'conflict',
  ) => {
    guard.admit();
    step.publish('reserve.before');
    const outcome = await write('charge', args.map(String), (answer) =>
      read({ ...readCharge(answer), position: answer.position }),
    );
    step.publish('reserve.after');
    return outcome;
  };
  return {
    async charge({ reservationId, channelId, operation, amountMicroUsd, deadlineMs, ...voucher }) {
      assertChannel(channelId);
      assertAmount(amountMicroUsd, 1n);
      assertAmount(voucher.cumulativeMicroUsd, 1n);
      if (operation === REFUND_OPERATION) throw new RangeError(`${REFUND_OPERATION} is not an operation of a call`);
      const subject = [reservationId, channelId, voucherText(voucher), amountMicroUsd, operation, deadlineMs];
      return settled(reservationId, await reserve(subject, toOutcome));
    },
    async holdRefund({ reservationId, channelId, amountMicroUsd, deadlineMs, ...voucher }) {
      assertChannel(channelId);
      if (amountMicroUsd !== undefined) assertAmount(amountMicroUsd, 1n);
      assertAmount(voucher.cumulativeMicroUsd, 0n);
      const amount = amountMicroUsd ?? '';
      const subject = [reservationId, channelId, voucherText(voucher), amount, REFUND_OPERATION, deadlineMs];
      return toHold(settled(reservationId, await reserve(subject, toOutcome)));
    },
    async fund({ channelId, usableMicroUsd, block, refundId = '' }) {
      assertChannel(channelId);
      assertAmount(usableMicroUsd, 0n);
      assertAmount(block, 0n);
      return write('fund', [channelId, String(usableMicroUsd), String(block), refundId], readFunded);
    },
    async channels(channelIds) {
      for (const id of channelIds) assertChannel(id);
      if (channelIds.length === 0) return [];
      const found = await reading(async () =>
        readChannels(await callOnce(call, 'channels', channelIds), channelIds.length),
      );
      return found.map((account) => account ?? NOTHING);
    },
  };
}

function toOutcome({ state, account, voucherId, position }: ChannelReply): ChargeOutcome | 'conflict' {
  switch (state) {
    case 'conflict':
      return state;
    case 'reserved':
      return { state, account, position };
    case 'repeated':
      return { state, account, reservationId: voucherId };
    default:
      return { state, account };
  }
}

function settled(reservationId: string, outcome: ChargeOutcome | 'conflict'): ChargeOutcome {
  if (outcome === 'conflict') throw new Error(`reservation id ${reservationId} belongs to another reservation`);
  return outcome;
}

/** While a refund is held, nothing else is reserved. */
function toHold(outcome: ChargeOutcome): HoldOutcome {
  if (outcome.state === 'repeated') throw new Error('a refund was answered as a call');
  if (outcome.state !== 'reserved') return outcome;
  return { ...outcome, amountMicroUsd: outcome.account.reservedMicroUsd };
}

function assertChannel(id: string): void {
  if (!CHANNEL.test(id)) throw new RangeError('a channel id is 0x and 64 hexadecimal digits in lower case');
}

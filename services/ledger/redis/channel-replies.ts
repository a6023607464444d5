import { Type } from 'typebox';
import { createReplyReader, RedisReplyError } from '../../platform/redis/redis-replies.ts';
import type { ChannelAccount, ChannelDenial } from '../contract/channels.ts';
import type { LedgerPosition } from '../contract/ledger.ts';
import { parseVoucher } from '../contract/voucher-text.ts';
import type { WriteReply } from './ledger-replies.ts';

type ChargeState = ChannelDenial | 'reserved' | 'repeated' | 'conflict';

/** What `charge` answers for one subject. */
export interface ChargeReply {
  readonly state: ChargeState;
  readonly account: ChannelAccount;
  /** Id of the reservation of the account's voucher; empty without a voucher. */
  readonly voucherId: string;
}

export interface ChannelReply extends ChargeReply {
  readonly position: LedgerPosition;
}

const STATES: Readonly<Record<ChargeState, true>> = {
  reserved: true,
  repeated: true,
  conflict: true,
  channel_not_found: true,
  channel_busy: true,
  cumulative_mismatch: true,
  exceeds_balance: true,
  deadline_passed: true,
  voided: true,
};

const isState = (state: string): state is ChargeState => Object.hasOwn(STATES, state);

const ACCOUNT = /^(\d+)\|(\d+)\|(\d+)\|(\d+)\|(?:([^:|]+):([^|]+))?$/;

/** Reads the text that `describeAccount` in channels.lua writes. @throws {RedisReplyError} */
function readAccount(text: string): Pick<ChargeReply, 'account' | 'voucherId'> {
  const [, funded, balance, reserved, charged, voucherId = '', voucherText] = ACCOUNT.exec(text) ?? [];
  const voucher = voucherText === undefined ? undefined : parseVoucher(voucherText);
  const isWhole = funded !== undefined && balance !== undefined && reserved !== undefined && charged !== undefined;
  if (!isWhole || (voucherText !== undefined && voucher === undefined)) {
    throw new RedisReplyError('a function for channels', text);
  }
  const account = {
    fundedMicroUsd: BigInt(funded),
    balanceMicroUsd: BigInt(balance),
    reservedMicroUsd: BigInt(reserved),
    chargedMicroUsd: BigInt(charged),
    voucher: voucher && { cumulativeMicroUsd: voucher.cumulativeMicroUsd, signature: voucher.signature },
  };
  return { account, voucherId };
}

/** @throws {RedisReplyError} for an unknown state or account */
export function readCharge({ state, detail }: WriteReply): ChargeReply {
  if (!isState(state)) throw new RedisReplyError('tollhouse_charge', state);
  return { state, ...readAccount(detail) };
}

/** @throws {RedisReplyError} */
export function readFunded({ state, detail }: WriteReply): ChannelAccount {
  if (state !== 'funded') throw new RedisReplyError('tollhouse_fund', state);
  return readAccount(detail).account;
}

const readTexts = createReplyReader('tollhouse_channels', Type.Array(Type.String()));

/** Reads the reply of `channels`. A channel that is not known is undefined. @throws {RedisReplyError} */
export function readChannels(reply: unknown, count: number): readonly (ChannelAccount | undefined)[] {
  const texts = readTexts(reply);
  if (texts.length !== count) throw new RedisReplyError('tollhouse_channels', reply);
  return texts.map((text) => (text === '' ? undefined : readAccount(text).account));
}

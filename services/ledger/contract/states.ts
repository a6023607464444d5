import {
  ChannelState,
  KeepState,
  PostState,
  VoidReason as Reason,
  ReserveState,
  VoidState,
} from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import type { VoidReason } from './ledger.ts';
import type { ChannelChargeOutcome, Keeping, Posting, TrialOutcome, Voiding } from './outcomes.ts';

/* The states of outcomes, as the messages of Protocol Buffers number them. */

export const RESERVE_STATES: Readonly<Record<TrialOutcome['state'], ReserveState>> = {
  reserved: ReserveState.RESERVE_STATE_RESERVED,
  posted: ReserveState.RESERVE_STATE_POSTED,
  voided: ReserveState.RESERVE_STATE_VOIDED,
  insufficient_balance: ReserveState.RESERVE_STATE_INSUFFICIENT_BALANCE,
  daily_budget_exhausted: ReserveState.RESERVE_STATE_DAILY_BUDGET_EXHAUSTED,
  grants_exhausted: ReserveState.RESERVE_STATE_GRANTS_EXHAUSTED,
  throttled: ReserveState.RESERVE_STATE_THROTTLED,
  nonce_posted: ReserveState.RESERVE_STATE_NONCE_POSTED,
  nonce_reserved: ReserveState.RESERVE_STATE_NONCE_RESERVED,
  nonce_replayed: ReserveState.RESERVE_STATE_NONCE_REPLAYED,
  expired: ReserveState.RESERVE_STATE_EXPIRED,
  deadline_passed: ReserveState.RESERVE_STATE_DEADLINE_PASSED,
  lock_lost: ReserveState.RESERVE_STATE_LOCK_LOST,
  conflict: ReserveState.RESERVE_STATE_CONFLICT,
};

export const CHANNEL_STATES: Readonly<Record<ChannelChargeOutcome['state'], ChannelState>> = {
  reserved: ChannelState.CHANNEL_STATE_RESERVED,
  repeated: ChannelState.CHANNEL_STATE_REPEATED,
  posted: ChannelState.CHANNEL_STATE_POSTED,
  conflict: ChannelState.CHANNEL_STATE_CONFLICT,
  channel_not_found: ChannelState.CHANNEL_STATE_CHANNEL_NOT_FOUND,
  channel_busy: ChannelState.CHANNEL_STATE_CHANNEL_BUSY,
  cumulative_mismatch: ChannelState.CHANNEL_STATE_CUMULATIVE_MISMATCH,
  cumulative_below_claimed: ChannelState.CHANNEL_STATE_CUMULATIVE_BELOW_CLAIMED,
  exceeds_balance: ChannelState.CHANNEL_STATE_EXCEEDS_BALANCE,
  deadline_passed: ChannelState.CHANNEL_STATE_DEADLINE_PASSED,
  unsettled: ChannelState.CHANNEL_STATE_UNSETTLED,
  identifier_reused: ChannelState.CHANNEL_STATE_IDENTIFIER_REUSED,
  identifier_pending: ChannelState.CHANNEL_STATE_IDENTIFIER_PENDING,
};

export const POST_STATES: Readonly<Record<Posting['state'], PostState>> = {
  posted: PostState.POST_STATE_POSTED,
  unknown: PostState.POST_STATE_UNKNOWN,
};

export const KEEP_STATES: Readonly<Record<Keeping, KeepState>> = {
  kept: KeepState.KEEP_STATE_KEPT,
  superseded: KeepState.KEEP_STATE_SUPERSEDED,
};

export const VOID_STATES: Readonly<Record<Voiding['state'] | 'busy', VoidState>> = {
  voided: VoidState.VOID_STATE_VOIDED,
  posted: VoidState.VOID_STATE_POSTED,
  busy: VoidState.VOID_STATE_BUSY,
  unknown: VoidState.VOID_STATE_UNKNOWN,
};

export const VOID_REASONS: Readonly<Record<VoidReason, Reason>> = {
  caller_failed: Reason.VOID_REASON_CALLER_FAILED,
  operation_failed: Reason.VOID_REASON_OPERATION_FAILED,
  retain_failed: Reason.VOID_REASON_RETAIN_FAILED,
  cancelled: Reason.VOID_REASON_CANCELLED,
  swept: Reason.VOID_REASON_SWEPT,
};

/** The name of a number in one of these tables; undefined if it is in none. */
export function nameIn<Name extends string>(table: Readonly<Record<Name, number>>, number: number): Name | undefined {
  const isName = (key: string): key is Name => Object.hasOwn(table, key);
  return Object.keys(table)
    .filter(isName)
    .find((name) => table[name] === number);
}

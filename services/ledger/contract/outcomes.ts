import type { ChannelAccount, ChannelResult, CreditResult } from '../../../proto/gen/tollhouse/ledger/v1/ledger.ts';
import { defined } from '../../../workers/exact/defined.ts';

/* The states of outcomes, and readers of answers, which throw for an answer that is not whole. ledger.proto explains them. */

export const RESERVE_STATES = [
  'reserved',
  'posted',
  'voided',
  'insufficient_balance',
  'daily_budget_exhausted',
  'grants_exhausted',
  'throttled',
  'nonce_posted',
  'nonce_reserved',
  'nonce_replayed',
  'expired',
  'deadline_passed',
  'lock_lost',
  'conflict',
] as const;

/** Why nothing was reserved of a channel. All of them changed nothing. */
const DENIALS = [
  'posted',
  'conflict',
  'channel_not_found',
  'channel_busy',
  'cumulative_mismatch',
  'cumulative_below_claimed',
  'exceeds_balance',
  'deadline_passed',
  'unsettled',
] as const;
const IDENTIFIER_DENIALS = ['identifier_reused', 'identifier_pending'] as const;
export const HOLD_STATES = ['reserved', ...DENIALS] as const;
export const CHARGE_STATES = ['repeated', ...HOLD_STATES, ...IDENTIFIER_DENIALS] as const;
export const POST_STATES = ['posted', 'unknown'] as const;
export const KEEP_STATES = ['kept', 'superseded'] as const;
export const VOID_STATES = ['voided', 'posted', 'busy', 'unknown'] as const;
export const VOID_REASONS = ['caller_failed', 'operation_failed', 'retain_failed', 'cancelled', 'swept'] as const;

export type ReserveState = (typeof RESERVE_STATES)[number];
export type Denial = (typeof DENIALS)[number];
export type IdentifierDenial = (typeof IDENTIFIER_DENIALS)[number];
export type Keeping = (typeof KEEP_STATES)[number];
export type VoidReason = (typeof VOID_REASONS)[number];

/** An account whose lock was lost is not read. */
export type TrialOutcome =
  | { readonly state: Exclude<ReserveState, 'lock_lost'>; readonly balanceMicroUsd: bigint }
  | { readonly state: 'lock_lost' };

export type ChannelChargeOutcome = { readonly account: ChannelAccount } & (
  | { readonly state: 'reserved' | Denial | IdentifierDenial }
  | { readonly state: 'repeated'; readonly repeatedId: string }
);

export type RefundHoldOutcome = { readonly account: ChannelAccount } & (
  | { readonly state: 'reserved'; readonly amountMicroUsd: bigint }
  | { readonly state: Denial }
);

interface Resolved<State> extends Omit<CreditResult, 'state'> {
  readonly state: State;
}
export type Posting = Resolved<(typeof POST_STATES)[number]>;
export type VoidOutcome = Resolved<(typeof VOID_STATES)[number]>;
export type Voiding = Resolved<Exclude<VoidOutcome['state'], 'busy'>>;

export const isIdentifierDenial = (state: string): state is IdentifierDenial =>
  IDENTIFIER_DENIALS.some((denial) => denial === state);

/** @throws {TypeError} for a state that is not in the list */
export function readState<State extends string>(states: readonly State[], found: unknown): State {
  const state = states.find((known) => known === found);
  if (state === undefined) throw new TypeError(`unexpected outcome ${found}`);
  return state;
}

export function readReserve({ state: found, balanceMicroUsd }: CreditResult): TrialOutcome {
  const state = readState(RESERVE_STATES, found);
  return state === 'lock_lost' ? { state } : { state, balanceMicroUsd: defined(balanceMicroUsd) };
}

export function readCharge({ state: found, account, repeatedId }: ChannelResult): ChannelChargeOutcome {
  const state = readState(CHARGE_STATES, found);
  if (state !== 'repeated') return { state, account: defined(account) };
  return { state, account: defined(account), repeatedId: defined(repeatedId) };
}

export function readHold({ state: found, account, amountMicroUsd }: ChannelResult): RefundHoldOutcome {
  const state = readState(HOLD_STATES, found);
  if (state !== 'reserved') return { state, account: defined(account) };
  return { state, account: defined(account), amountMicroUsd: defined(amountMicroUsd) };
}

export const readResolved = <State extends string>(
  states: readonly State[],
  { state, balanceMicroUsd }: CreditResult,
): Resolved<State> => ({ state: readState(states, state), balanceMicroUsd });

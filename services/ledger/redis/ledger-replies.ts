import { Type } from 'typebox';
import { createReplyReader, RedisReplyError } from '../../platform/redis/redis-replies.ts';
import type { LedgerPosition, OverdueReservation, ReserveDenial, Resolution } from '../contract/ledger.ts';

/** A whole number in decimal. Lua writes it with `%d`. */
const Whole = Type.String({ pattern: '^[0-9]+$' });
const Text = Type.String();

/**
 * What a write function answers for one subject. The detail of a wallet is its balance, which is empty where the ledger does
 * not know the wallet; that of a channel is its account.
 */
export interface WriteReply {
  readonly state: string;
  readonly detail: string;
}

/** What a write function answers for a batch. `sequence` is that of the journal after the call. */
export type BatchReply =
  | { readonly state: 'rolled_back'; readonly sequence: string }
  | { readonly state: 'done'; readonly sequence: bigint; readonly writes: readonly WriteReply[] };

const readWords = createReplyReader('a write function of the ledger', Type.Array(Text));

/**
 * Reads the reply of `reserve`, `post` or `void`: a word, the sequence of the journal, then state and balance of each
 * subject.
 * @param count subjects of the call
 * @throws {RedisReplyError}
 */
export function readBatch(reply: unknown, count: number): BatchReply {
  const [state, sequence, ...outcomes] = readWords(reply);
  const isNumber = sequence !== undefined && /^-?[0-9]+$/.test(sequence);
  if (state === 'rolled_back' && isNumber) return { state, sequence };
  if (state !== 'done' || !isNumber || outcomes.length !== 2 * count) throw unexpected(reply);
  return { state, sequence: BigInt(sequence), writes: pairsOf(outcomes) };
}

function pairsOf(outcomes: readonly string[]): readonly WriteReply[] {
  const writes: WriteReply[] = [];
  for (let at = 0; at < outcomes.length; at += 2) {
    const [state, detail] = [outcomes[at], outcomes[at + 1]];
    if (state === undefined || detail === undefined) throw unexpected(outcomes);
    writes.push({ state, detail });
  }
  return writes;
}

/** Every state that a reserve can end in, besides `conflict`. */
const RESERVE_STATES: Readonly<Record<ReserveDenial | 'reserved', true>> = {
  reserved: true,
  insufficient_balance: true,
  daily_budget_exhausted: true,
  grants_exhausted: true,
  throttled: true,
  nonce_replayed: true,
  expired: true,
  deadline_passed: true,
  lock_lost: true,
  voided: true,
};

export interface ReserveReply {
  readonly state: ReserveDenial | 'reserved';
  readonly balanceMicroUsd: bigint;
}

/** @throws {RedisReplyError} for an unknown state or a reply without a balance */
export function readReserve(write: WriteReply): ReserveReply {
  const { state, detail: balance } = write;
  if (!isReserveState(state) || !/^[0-9]+$/.test(balance)) throw unexpected(write);
  return { state, balanceMicroUsd: BigInt(balance) };
}

const isReserveState = (state: string): state is ReserveReply['state'] => Object.hasOwn(RESERVE_STATES, state);

/** @throws {RedisReplyError} for an unknown state */
export function readResolution(write: WriteReply): Resolution {
  const { state, detail: balance } = write;
  if (state !== 'posted' && state !== 'voided' && state !== 'unknown') throw unexpected(write);
  if (!/^[0-9]*$/.test(balance)) throw unexpected(write);
  return { state, balanceMicroUsd: balance === '' ? undefined : BigInt(balance) };
}

const unexpected = (reply: unknown) => new RedisReplyError('a write function of the ledger', reply);

const readFlags = createReplyReader(
  'a lock function of the ledger',
  Type.Array(Type.Integer({ minimum: 0, maximum: 1 })),
);

/** Reads the reply of `lock` or `unlock`: 1 or 0 for each wallet. @throws {RedisReplyError} */
export function readLocks(reply: unknown, count: number): readonly number[] {
  const flags = readFlags(reply);
  if (flags.length !== count) throw new RedisReplyError('a lock function of the ledger', reply);
  return flags;
}

/** What Redis stores of a wallet. */
export interface StoredWallet {
  readonly balance: string;
  readonly reserved: string;
  readonly spent: string;
  readonly sequence: string;
}

const readWalletRows = createReplyReader(
  'tollhouse_wallets',
  Type.Array(Type.Union([Type.Tuple([Whole, Whole, Whole, Whole]), Type.Tuple([])])),
);

/** Reads the reply of `wallets`. A wallet without an account is undefined. @throws {RedisReplyError} */
export function readWallets(reply: unknown, count: number): readonly (StoredWallet | undefined)[] {
  const rows = readWalletRows(reply);
  if (rows.length !== count) throw new RedisReplyError('tollhouse_wallets', reply);
  return rows.map((row) => {
    if (row.length === 0) return undefined;
    const [balance, reserved, spent, sequence] = row;
    return { balance, reserved, spent, sequence };
  });
}

/** Figures of the whole ledger, all of one moment. */
export interface Totals {
  readonly epoch: string;
  readonly sequence: string;
  /** Days since 1970, UTC. */
  readonly day: string;
  /** Micro-USD used of that day's budget. */
  readonly used: string;
  /** Pending reservations. */
  readonly pending: string;
}

const readTotalsRow = createReplyReader(
  'tollhouse_totals',
  // A ledger that does not exist yet has no epoch and the sequence -1.
  Type.Tuple([Text, Type.String({ pattern: '^(-1|[0-9]+)$' }), Whole, Whole, Whole]),
);

/** @throws {RedisReplyError} */
export function readTotals(reply: unknown): Totals {
  const [epoch, sequence, day, used, pending] = readTotalsRow(reply);
  return { epoch, sequence, day, used, pending };
}

/** Open reservations. */
export interface OpenReservations {
  readonly count: string;
  readonly summed: string;
  readonly sum: string;
  /** The least id; empty without one. */
  readonly least: string;
}

const readOpenRow = createReplyReader('tollhouse_open_reservations', Type.Tuple([Whole, Whole, Whole, Text]));

/** @throws {RedisReplyError} */
export function readOpenReservations(reply: unknown): OpenReservations {
  const [count, summed, sum, least] = readOpenRow(reply);
  return { count, summed, sum, least };
}

const readOpened = createReplyReader('tollhouse_open', Type.Tuple([Type.String({ minLength: 1 }), Whole]));

/** @throws {RedisReplyError} */
export function readOpenedPosition(reply: unknown): LedgerPosition {
  const [epoch, sequence] = readOpened(reply);
  return { epoch, sequence: BigInt(sequence) };
}

const readOverdueRows = createReplyReader(
  'tollhouse_overdue',
  Type.Array(Type.Tuple([Text, Text, Text, Whole, Whole])),
);

/** @throws {RedisReplyError} */
export function readOverdue(reply: unknown): readonly OverdueReservation[] {
  return readOverdueRows(reply).map(([reservationId, wallet, operation, amount, deadline]) => {
    return { reservationId, wallet, operation, amountMicroUsd: BigInt(amount), deadlineMs: Number(deadline) };
  });
}

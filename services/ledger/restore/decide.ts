import type { Kysely } from 'kysely';
import { defined } from '../../../workers/exact/defined.ts';
import type { Tables } from '../../store/database.ts';
import type { JournalEntry } from '../../store/ledger-copy.ts';
import { REFUND_OPERATION } from '../contract/channels.ts';
import {
  type FundEntry,
  formatEntry,
  isChannel,
  type ReserveEntry,
  type ResolveEntry,
} from '../contract/journal-entries.ts';
import { DAILY_BUDGET_MICRO_USD, GRANT_MICRO_USD } from '../contract/trial-terms.ts';
import { parseVoucher } from '../contract/voucher-text.ts';
import type { Replay } from '../redis/journal-replay.ts';
import { type LostTrial, readEvidence } from './evidence.ts';
import { type Prepared, RestoreRefusedError } from './prepare.ts';

/** What a restore adds to the journal, and what it cannot know. */
export interface Decision {
  readonly added: readonly JournalEntry[];
  /** Open calls with a retained result. */
  readonly posted: number;
  /** Pending reservations without one. */
  readonly voided: number;
  /** Retained trials and calls of channels whose reservation was lost. */
  readonly charged: readonly LostTrial[];
  /** Entries that were recorded outside Redis and that neither store has. */
  readonly missing: bigint;
  /** Those of them that are not the reservation of a retained trial. */
  readonly unexplained: bigint;
  /** The largest amount that the unexplained entries can have reserved. */
  readonly atMostMicroUsd: bigint;
  /** Ids of retained trials that the journal lacks and that do not name their wallet. */
  readonly unattributed: readonly string[];
}

const DAY_MS = 86_400_000;

/**
 * Decides about every call that is still open, and about those that were lost. It applies the entries to the
 * replay.
 * @throws {RestoreRefusedError} if the result would break a rule of the ledger
 */
export async function decide(
  database: Kysely<Tables>,
  { replay, witness }: Pick<Prepared, 'replay' | 'witness'>,
  { network, nowMs }: { readonly network: string; readonly nowMs: number },
): Promise<Decision> {
  const { retained, lost, unattributed } = await readEvidence(database, { network, epoch: witness.epoch }, replay);
  const missing = witness.sequence > replay.sequence ? witness.sequence - replay.sequence : 0n;
  const explained = BigInt(lost.length);
  const unexplained = missing > explained ? missing - explained : 0n;
  const added: JournalEntry[] = [];
  const add = (entry: ReserveEntry | ResolveEntry | FundEntry) => {
    const next = { sequence: replay.sequence + 1n, text: formatEntry(entry) };
    replay.apply(next.sequence, next.text);
    added.push(next);
  };
  // Only the chain can tell what became of a refund, so it stays open. The back office asks.
  const pending = Array.from(replay.pending).flatMap(([id, { operation }]) =>
    operation === REFUND_OPERATION ? [] : [id],
  );
  for (const id of pending) add(resolved(id, retained.has(id) ? 'post' : 'void', nowMs));
  const charged = lost.filter((trial) => {
    if (isCharged(trial, replay)) return false;
    const entry = reserved(trial, replay);
    const funds = missingFunds(entry, replay);
    if (funds !== undefined) add(funds);
    add(entry);
    add(resolved(trial.reservationId, 'post', nowMs));
    return true;
  });
  const [violation] = replay.violations;
  if (violation !== undefined) {
    const { invariant, subject, detail } = violation;
    throw new RestoreRefusedError(`the restored ledger would break the rule ${invariant}: ${subject}: ${detail}`);
  }
  const posted = pending.filter((id) => retained.has(id)).length;
  return {
    added,
    posted,
    voided: pending.length - posted,
    charged,
    missing,
    unexplained,
    atMostMicroUsd: unexplained * GRANT_MICRO_USD,
    unattributed,
  };
}

const resolved = (id: string, type: ResolveEntry['type'], timeMs: number): ResolveEntry => ({
  type,
  id,
  reason: 'restored',
  timeMs,
});

/** Whether the voucher of a call was charged already. It may have been sent again after a failure, and retained twice. */
function isCharged({ wallet, nonce }: LostTrial, replay: Replay): boolean {
  if (!isChannel(wallet)) return false;
  const spent = replay.wallets.get(wallet)?.spent ?? 0n;
  const cumulative = parseVoucher(nonce)?.cumulativeMicroUsd;
  return cumulative !== undefined && cumulative <= spent;
}

/** The deposit that a lost call of a channel proves, if the journal lacks it. The contract shows the exact one later. */
function missingFunds({ address, amount, timeMs }: ReserveEntry, replay: Replay): FundEntry | undefined {
  if (!isChannel(address)) return undefined;
  const { balance, spent } = replay.wallets.get(address) ?? { balance: 0n, spent: 0n };
  if (balance >= amount) return undefined;
  const block = replay.channels.get(address)?.block ?? 0n;
  const usable = spent + amount;
  return { type: 'fund', id: address, usable, block, funded: usable, timeMs };
}

/** The reservation of a retained trial. Its id has the time at which it was made (RFC 9562, section 5.7). */
function reserved({ reservationId, wallet, nonce, amount, operation }: LostTrial, replay: Replay): ReserveEntry {
  const timeMs = Number.parseInt(reservationId.slice(0, 8) + reservationId.slice(9, 13), 16);
  const subject = { type: 'reserve', id: reservationId, address: wallet, nonce, amount, operation, timeMs } as const;
  if (isChannel(wallet)) return { ...subject, day: '0', budget: 0n, grant: 0n };
  const day = String(Math.floor(timeMs / DAY_MS));
  const used = replay.usedOn(day) + amount;
  // The budget admitted this trial. It may have been raised since the last entry.
  const budgets = [used, replay.latestBudget ?? DAILY_BUDGET_MICRO_USD].toSorted((a, b) => (a < b ? 1 : -1));
  const grant = replay.wallets.has(wallet) ? 0n : GRANT_MICRO_USD;
  return { ...subject, day, budget: defined(budgets[0]), grant };
}

import type pg from 'pg';
import { NIL } from 'uuid';
import { LEDGER_FUNCTIONS } from '../../store/ledger-functions.ts';
import { onlyRow } from '../../store/rows.ts';
import { runStatement } from './ledger-pool.ts';
import { readText } from './read-outcomes.ts';

const call = (pool: pg.Pool, name: string, values: readonly unknown[] = []) =>
  runStatement(pool, `SELECT * FROM ${LEDGER_FUNCTIONS}.${name}(${values.map((_, at) => `$${at + 1}`)})`, values);

/**
 * Makes the partitions of the days around now, where they are missing. Run it at least daily.
 * @throws {LedgerUnavailableError} `refused` if a long query reads a table; the next run is early enough
 */
export async function makePartitions(pool: pg.Pool): Promise<void> {
  await call(pool, 'make_nonce_partitions');
  await call(pool, 'make_entry_partitions');
}

/**
 * Drops the nonces of proofs that expired before yesterday, by the earlier of two clocks. Run it daily.
 * @param nowMs milliseconds since the epoch, by the clock of this machine
 * @throws {LedgerUnavailableError} as `makePartitions` does
 */
export async function dropNonces(pool: pg.Pool, nowMs: number): Promise<void> {
  await call(pool, 'drop_nonce_partitions', [new Date(nowMs)]);
}

export interface KeptEntries {
  readonly pool: pg.Pool;
  /** Full months before the present one whose entries are kept; 1 or more. */
  readonly monthsKept: number;
  /** Milliseconds since the epoch, by the clock of this machine. The earlier one of it and the database's decides. */
  readonly clockMs: () => number;
}

/** Entries of a transaction. Their accounts are locked for about a hundredth of a second. */
const MAX_ENTRIES = 250;

/**
 * Sums the earnings of past days, then drops the months of entries that are no longer kept, and what is left of their days.
 * Their sums are added to the accounts before, in short transactions. It may end at any moment, and the next run continues. Run it daily.
 * @throws {LedgerUnavailableError} `refused` if a long query reads the table, or an account is locked for long
 */
export async function dropEntries(kept: KeptEntries, signal: AbortSignal): Promise<void> {
  await call(kept.pool, 'sum_earnings', [new Date(kept.clockMs())]);
  for (let after: string | null = NIL; after !== null; ) {
    if (signal.aborted) return;
    after = await carryEntries(kept, after, MAX_ENTRIES);
  }
  await call(kept.pool, 'drop_entry_partitions', [kept.monthsKept, new Date(kept.clockMs())]);
  await call(kept.pool, 'drop_days', [kept.monthsKept, new Date(kept.clockMs())]);
}

/** Adds entries after an id to the sums of their accounts. @returns the last id; null if none is left */
export async function carryEntries(
  { pool, monthsKept, clockMs }: KeptEntries,
  afterId: string,
  maxEntries: number,
): Promise<string | null> {
  const { last_id: id } = onlyRow(
    await call(pool, 'carry_entries', [monthsKept, new Date(clockMs()), afterId, maxEntries]),
  );
  return id === null ? null : readText(id);
}

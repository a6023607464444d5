import type pg from 'pg';
import { createBatcher } from '../../platform/batcher.ts';
import { LEDGER_FUNCTIONS } from '../../store/ledger-functions.ts';
import { onlyRow } from '../../store/rows.ts';
import { callFunction, runStatement } from './ledger-pool.ts';
import { readDate, readText } from './read-outcomes.ts';

export interface DatabaseStatus {
  /** Milliseconds since the epoch, by the clock that decides on deadlines and expirations. */
  readonly nowMs: number;
  /** Why nothing may be reserved; undefined if it may. */
  readonly fault: string | undefined;
}

/** Answers on a standby too. @throws {LedgerUnavailableError} */
export async function readDatabaseStatus(pool: pg.Pool): Promise<DatabaseStatus> {
  const { now_at: nowAt, fault } = onlyRow(
    await runStatement(pool, `SELECT now_at, fault FROM ${LEDGER_FUNCTIONS}.status()`, []),
  );
  return { nowMs: readDate(nowAt).getTime(), fault: fault === null ? undefined : readText(fault) };
}

/** Resolves once a commit is durable, and with it every earlier one. @throws {LedgerUnavailableError} */
export async function probeDurability(pool: pg.Pool): Promise<void> {
  await callFunction(pool, 'probe', []);
}

/** As `probeDurability`. @throws {LedgerUnavailableError} also while the disk has no room for the answers of many calls */
export async function probeDisk(pool: pg.Pool): Promise<void> {
  await callFunction(pool, 'probe_disk', []);
}

/**
 * For what was read and may not be on the standbys yet. Calls during a probe share the next one, so many take one connection.
 */
export function createDurabilityProbe(pool: pg.Pool): () => Promise<void> {
  const probe = createBatcher<undefined, undefined>({
    async send(calls) {
      await probeDurability(pool);
      return calls;
    },
    maxItems: Number.POSITIVE_INFINITY,
  });
  return () => probe(undefined);
}

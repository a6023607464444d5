import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import { isRevenueFrozen } from '../mutations/revenue-freeze.ts';
import { readClock } from '../records/plan-records.ts';
import { type GuardedTable, type GuardedWrite, probeGuardedWrite, readGuardedTable } from './guarded-table.ts';
import { countRecords, holdsWriterLock, probeCommit, type RecordCounts, readDurability } from './storage.ts';
import type { WriterLock } from './writer-lock.ts';

/** A measurement of the store. A part that could not be measured is undefined. */
export interface StoreMeasurement {
  /** Start of the measurement by the database's clock, RFC 3339, UTC, with microseconds. */
  readonly checkedAt?: string | undefined;
  readonly isDurable?: boolean | undefined;
  readonly isCommitted?: boolean | undefined;
  readonly table?: GuardedTable | undefined;
  readonly write?: GuardedWrite | undefined;
  readonly isSingleWriter?: boolean | undefined;
  readonly counts?: RecordCounts | undefined;
  readonly isFrozen?: boolean | undefined;
  /** Whether a part took too long, and is as it was before. */
  readonly isLate: boolean;
}

export interface MeasureStoreDeps {
  readonly database: Database;
  readonly writerLock: WriterLock;
  readonly logger: Logger;
}

/** The measurement of a store that did not answer. */
export const UNMEASURED: StoreMeasurement = { isLate: false };

/**
 * Measures each part on its own, one after the other, so that a part that fails does not affect the others.
 * @param before what was measured before, and still counts for a part that takes too long
 * @returns undefined if the store takes too long to answer at all
 */
export async function measureStore(
  { database, writerLock, logger }: MeasureStoreDeps,
  before: StoreMeasurement = UNMEASURED,
): Promise<StoreMeasurement | undefined> {
  let isLate = false;
  const measured = <T>(what: string, read: () => Promise<T>, known?: T): Promise<T | undefined> =>
    read().catch((err: unknown) => {
      logger.warn({ err }, `status: ${what} could not be measured`);
      const isThisLate = isTooSlow(err);
      isLate ||= isThisLate;
      return isThisLate ? known : undefined;
    });
  const checkedAt = await measured('the clock', () => database.transaction().execute(readClock));
  // If the store does not answer this, each further query would only wait for its timeout.
  if (checkedAt === undefined) return isLate ? undefined : UNMEASURED;
  const session = writerLock.session();
  const parts = {
    isDurable: await measured('durability', () => readDurability(database), before.isDurable),
    isCommitted: await measured('a committed write', () => probeCommit(database), before.isCommitted),
    table: await measured('the guarded table', () => readGuardedTable(database), before.table),
    write: await measured('a guarded write', () => probeGuardedWrite(database), before.write),
    isSingleWriter: await measured('the writer lock', () => holdsWriterLock(database, session), before.isSingleWriter),
    counts: await measured('the records', () => countRecords(database), before.counts),
    isFrozen: await measured('the freeze', () => isRevenueFrozen(database), before.isFrozen),
  };
  return { checkedAt, ...parts, isLate };
}

/** Whether a query took too long, by the server or by the driver. Anything else says that the store is down, or wrong. */
const isTooSlow = (error: unknown): boolean =>
  error instanceof Error && (/timeout/i.test(error.message) || ('code' in error && error.code === '57014'));

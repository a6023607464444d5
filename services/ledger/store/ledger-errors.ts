import { LedgerUnavailableError } from '../contract/ledger.ts';

/**
 * SQLSTATEs with which the server refuses a statement and rolls it back: invalid values, broken constraints, a wrong state
 * such as a standby's (25006), rights, deadlocks, missing objects, a full disk, limits, locks, a cancelled statement, and
 * errors that functions raise (LE: those of the ledger). Any other code may come after the commit, such as 57P01 while the commit waits.
 */
const REFUSALS = /^(?:0A|22|23|25|28|3[DF]|40(?!003)|42|5[345]|57014|P0|LE)/;
/** Faults of single items: invalid values, broken constraints, and rows that others have locked for long. */
const ITEM_FAULTS = /^(?:2[23]|55P03)/;
const DEADLOCK = '40P01';
const DISK_FULL = '53100';
/** As `open_batch` raises it. */
const OTHER_DATABASE = 'LE001';

/** A refusal of the database, as the cause of a `LedgerUnavailableError`. */
function sqlStateOf(error: unknown): string | undefined {
  const cause = error instanceof LedgerUnavailableError ? error.cause : error;
  if (!(cause instanceof Error) || !('code' in cause) || typeof cause.code !== 'string') return undefined;
  // The codes of sockets, such as EPIPE, are no SQLSTATEs.
  return 'severity' in cause ? cause.code : undefined;
}

export const isItemFault = (error: unknown): boolean => ITEM_FAULTS.test(sqlStateOf(error) ?? '');
export const isDeadlock = (error: unknown): boolean => sqlStateOf(error) === DEADLOCK;
export const isDiskFull = (error: unknown): boolean => sqlStateOf(error) === DISK_FULL;
/** Whether the database is another one than in the last epoch. */
export const isOtherDatabase = (error: unknown): boolean => sqlStateOf(error) === OTHER_DATABASE;

/** Whether a statement that failed was certainly rolled back. */
export function explainFailure(error: unknown): LedgerUnavailableError {
  if (error instanceof LedgerUnavailableError) return error;
  const code = sqlStateOf(error);
  const reason = error instanceof Error ? error.message : String(error);
  if (code !== undefined && REFUSALS.test(code))
    return new LedgerUnavailableError('refused', `the database refused (${code}): ${reason}`, { cause: error });
  return new LedgerUnavailableError('uncertain', `the database did not answer: ${reason}`, { cause: error });
}

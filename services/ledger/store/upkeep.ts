import { Type } from 'typebox';
import type { Logger } from '../../platform/process/logger.ts';
import type { RecurringJob } from '../../store/recurring/recurring-jobs.ts';
import { onlyRow } from '../../store/rows.ts';
import { callFunction } from './ledger-pool.ts';
import { dropEntries, dropNonces, type KeptEntries, makePartitions } from './partitions.ts';
import { readBigint } from './read-outcomes.ts';
import type { TrialLedger } from './trial-ledger.ts';

/** Environment of the upkeep of the ledger. */
export const LedgerUpkeepConfig = {
  LEDGER_ENTRY_MONTHS: Type.Integer({
    default: 3,
    minimum: 1,
    maximum: 1200,
    description: 'full months for which each charge is kept; older ones are kept as one sum for each account',
  }),
};

export interface LedgerUpkeepOptions extends KeptEntries {
  readonly ledger: Pick<TrialLedger, 'sweep' | 'audit'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly sweepEveryMs: number;
  /** Whole UTC days for which answers are kept, and the identifiers of their calls. */
  readonly answerDays: number;
}

const HOUR_MS = 3_600_000;
const SWEEP_LIMIT = 500;
const KEYS_LIMIT = 1000;
/** Violations that one audit logs. */
const MAX_LOGGED = 100;
/** How long after its deadline a reservation is left to its gateway. */
const GRACE_MS = 5000;

/** The recurring work on the ledger. Copies may do it at the same time, and it may end at any moment. */
export function createLedgerUpkeep({
  ledger,
  logger,
  sweepEveryMs,
  answerDays,
  ...entries
}: LedgerUpkeepOptions): readonly RecurringJob[] {
  return [
    { name: 'make-ledger-partitions', everyMs: HOUR_MS, run: () => makePartitions(entries.pool) },
    { name: 'drop-nonces', everyMs: HOUR_MS, run: () => dropNonces(entries.pool, entries.clockMs()) },
    { name: 'drop-entries', everyMs: HOUR_MS, run: (signal) => dropEntries(entries, signal) },
    { name: 'drop-call-keys', everyMs: HOUR_MS, run: (signal) => dropKeys(entries, answerDays, signal) },
    { name: 'audit-ledger', everyMs: HOUR_MS, run: () => audit(ledger, logger) },
    { name: 'sweep-trials', everyMs: sweepEveryMs, run: (signal) => sweepAll(ledger, signal) },
  ];
}

async function audit(ledger: Pick<TrialLedger, 'audit'>, logger: Pick<Logger, 'error'>): Promise<void> {
  const { violations } = await ledger.audit();
  for (const violation of violations.slice(0, MAX_LOGGED)) logger.error(violation, 'the ledger breaks an invariant');
}

async function dropKeys({ pool, clockMs }: KeptEntries, answerDays: number, signal: AbortSignal): Promise<void> {
  for (let dropped = KEYS_LIMIT; dropped === KEYS_LIMIT && !signal.aborted; ) {
    // The answers of a day are kept until all of them are old enough.
    const row = onlyRow(await callFunction(pool, 'drop_keys', [answerDays + 1, new Date(clockMs()), KEYS_LIMIT]));
    dropped = Number(readBigint(row['dropped']));
  }
}

/** Repeats while batches are full, so that a backlog does not wait for an interval per batch. */
async function sweepAll(ledger: LedgerUpkeepOptions['ledger'], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { voided, busy } = await ledger.sweep({ graceMs: GRACE_MS, limit: SWEEP_LIMIT });
    if (voided === 0 || voided + busy < SWEEP_LIMIT) return;
  }
}

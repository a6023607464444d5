import { sql } from 'kysely';
import { SettlementOutcome } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import type { AccessKind, Database } from '../store/database.ts';
import type { Retention } from './retention/retention.ts';

export interface Sweep {
  /** Resolves all retained calls that are due, until `signal` aborts. */
  sweepObligations(signal: AbortSignal): Promise<void>;
  /** Resolves all overdue reservations, until `signal` aborts: posts those whose result is retained, voids the others. */
  sweepReservations(signal: AbortSignal): Promise<void>;
}

export interface SweepDeps {
  readonly database: Database;
  readonly retention: Pick<Retention, 'findRetained'>;
  readonly ledger: Pick<Ledger, 'post' | 'void' | 'overdue'>;
  /** Asks the payments service what became of a claim. */
  readonly resolveClaim: (claimId: string) => Promise<SettlementOutcome>;
  readonly logger: Logger;
}

const BATCH = 500;
/** A reservation is left to its gateway for this long after its deadline. */
const GRACE_MS = 5000;
const FIRST_RETRY_SECONDS = 5;
const MAX_RETRY_SECONDS = 3600;

interface Obligation {
  readonly record_id: string;
  readonly access: AccessKind;
}

/** Every step may be repeated: posting, voiding and asking twice changes nothing. */
export function createSweep({ database, retention, ledger, resolveClaim, logger }: SweepDeps): Sweep {
  const logUnfulfilled = createRepeatedErrorLog({ logger, message: 'an obligation could not be fulfilled now' });

  /** Takes due rows by moving their time: another copy does not take them, and a death here leaves them for later. */
  async function takeDue(): Promise<readonly Obligation[]> {
    const { rows } = await sql<Obligation>`
      UPDATE obligation SET attempts = attempts + 1, due_at = clock_timestamp() + make_interval(secs =>
        least(${MAX_RETRY_SECONDS}, ${FIRST_RETRY_SECONDS} * power(2, least(attempts, 16))))
      WHERE record_id IN (
        SELECT record_id FROM obligation WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
      RETURNING record_id, access`.execute(database);
    return rows;
  }

  /** A claim that cannot be found is not closed: its record is what it would be rebuilt from. */
  async function isClaimClosed(claimId: string): Promise<boolean> {
    const outcome = await resolveClaim(claimId);
    return (
      outcome === SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED ||
      outcome === SettlementOutcome.SETTLEMENT_OUTCOME_FAILED
    );
  }

  async function isFulfilled({ record_id: id, access }: Obligation): Promise<boolean> {
    if (access === 'payment') return isClaimClosed(id);
    const { state } = await ledger.post(id);
    if (state === 'unknown') logger.error({ reservationId: id }, 'a retained trial has no reservation');
    return true;
  }

  async function attempt(obligation: Obligation): Promise<string | undefined> {
    try {
      return (await isFulfilled(obligation)) ? obligation.record_id : undefined;
    } catch (error) {
      logUnfulfilled(error);
      return undefined;
    }
  }

  async function sweepDue(): Promise<number> {
    const due = await takeDue();
    const fulfilled = (await Promise.all(due.map(attempt))).filter((id) => id !== undefined);
    if (fulfilled.length > 0) await database.deleteFrom('obligation').where('record_id', 'in', fulfilled).execute();
    return due.length;
  }

  async function sweepOverdue(): Promise<number> {
    const overdue = await ledger.overdue({ graceMs: GRACE_MS, limit: BATCH });
    const retained = await retention.findRetained(overdue.map(({ reservationId }) => reservationId));
    await Promise.all(
      overdue.map(async ({ reservationId }) => {
        // The gateway may retain after this look and before the void. Its own post then finds the void, and it
        // delivers nothing.
        const { state } = retained.has(reservationId)
          ? await ledger.post(reservationId)
          : await ledger.void(reservationId, 'swept');
        logger.info({ reservationId, state }, 'an open reservation was resolved');
      }),
    );
    return overdue.length;
  }

  return {
    sweepObligations: (signal) => drain(sweepDue, signal),
    sweepReservations: (signal) => drain(sweepOverdue, signal),
  };
}

/** Repeats while full batches come, so that a backlog does not wait for an interval per batch. */
async function drain(sweepBatch: () => Promise<number>, signal: AbortSignal): Promise<void> {
  let swept = BATCH;
  while (swept === BATCH && !signal.aborted) swept = await sweepBatch();
}

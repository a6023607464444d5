import { SettlementOutcome } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Ledger } from '../ledger/contract/ledger.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import type { Obligation, Obligations } from './obligations.ts';
import type { Retention } from './retention/retention.ts';

export interface Sweep {
  /** Fulfills all obligations that are due, until `signal` aborts. */
  sweepObligations(signal: AbortSignal): Promise<void>;
  /** Resolves all overdue reservations, until `signal` aborts. Posts those with a retained result and voids the others. */
  sweepReservations(signal: AbortSignal): Promise<void>;
}

export interface SweepDeps {
  readonly obligations: Obligations;
  readonly retention: Pick<Retention, 'findRetained'>;
  readonly ledger: Pick<Ledger, 'post' | 'void' | 'overdue'>;
  /** Asks the payments service what became of a claim. */
  readonly resolveClaim: (claimId: string) => Promise<SettlementOutcome>;
  readonly logger: Logger;
}

const BATCH = 500;
/** How long after its deadline a reservation is left to its gateway. */
const GRACE_MS = 5000;

/** Every step may be repeated: posting, voiding and asking twice changes nothing. */
export function createSweep(deps: SweepDeps): Sweep {
  const { logger } = deps;
  const logUnfulfilled = createRepeatedErrorLog({ logger, message: 'an obligation could not be fulfilled now' });
  return {
    sweepObligations: (signal) => drain(() => sweepDue(deps, logUnfulfilled), signal),
    sweepReservations: (signal) => drain(() => sweepOverdue(deps), signal),
  };
}

/** Whether a settlement with this outcome needs nothing more. Undefined for an outcome that is not known here. */
const IS_CLOSED: ReadonlyMap<SettlementOutcome, boolean> = new Map([
  [SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED, true],
  [SettlementOutcome.SETTLEMENT_OUTCOME_FAILED, true],
  [SettlementOutcome.SETTLEMENT_OUTCOME_PENDING, false],
  [SettlementOutcome.SETTLEMENT_OUTCOME_NOT_SENT, false],
]);

async function isFulfilled(deps: SweepDeps, { recordId: id, access }: Obligation): Promise<boolean> {
  if (access !== 'payment') {
    const { state } = await deps.ledger.post(id);
    if (state === 'unknown') deps.logger.error({ reservationId: id }, 'a retained call has no reservation');
    return true;
  }
  // A claim that is not found throws, and its record stays: the claim is rebuilt from it.
  const outcome = await deps.resolveClaim(id);
  const isClosed = IS_CLOSED.get(outcome);
  if (isClosed === undefined) throw new Error(`the payments service answered the unknown outcome ${outcome}`);
  return isClosed;
}

async function sweepDue(deps: SweepDeps, logUnfulfilled: (error: unknown) => void): Promise<number> {
  const { obligations } = deps;
  const due = await obligations.takeDue(BATCH);
  const attempts = due.map(async (obligation) => {
    try {
      return (await isFulfilled(deps, obligation)) ? [obligation.recordId] : [];
    } catch (error) {
      logUnfulfilled(error);
      return [];
    }
  });
  const fulfilled = (await Promise.all(attempts)).flat();
  if (fulfilled.length > 0) await obligations.delete(fulfilled);
  return due.length;
}

async function sweepOverdue({ ledger, retention, logger }: SweepDeps): Promise<number> {
  // A refund that may have been sent is not voided: the chain decides about it.
  const overdue = await ledger.overdue({ graceMs: GRACE_MS, limit: BATCH, of: 'calls' });
  const retained = await retention.findRetained(overdue.map(({ reservationId }) => reservationId));
  await Promise.all(
    overdue.map(async ({ reservationId }) => {
      // The gateway may retain the result after this query and before the void. Its own post then finds the void, and
      // it delivers nothing.
      const { state } = retained.has(reservationId)
        ? await ledger.post(reservationId)
        : await ledger.void(reservationId, 'swept');
      logger.info({ reservationId, state }, 'an open reservation was resolved');
    }),
  );
  return overdue.length;
}

/** Repeats while batches are full, so that a backlog does not wait for an interval per batch. */
async function drain(sweepBatch: () => Promise<number>, signal: AbortSignal): Promise<void> {
  let swept = BATCH;
  while (swept === BATCH && !signal.aborted) swept = await sweepBatch();
}

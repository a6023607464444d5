import { SettlementOutcome } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Logger } from '../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../platform/process/repeated-errors.ts';
import type { Obligations } from './obligations.ts';

export interface SweepDeps {
  readonly obligations: Obligations;
  /** Asks the payments service what became of a claim. */
  readonly resolveClaim: (claimId: string) => Promise<SettlementOutcome>;
  readonly logger: Logger;
}

const BATCH = 500;

/**
 * Creates the work that fulfills all obligations that are due. Every step may be repeated: asking twice changes nothing.
 * It repeats while batches are full, so that a backlog does not wait for an interval per batch.
 */
export function createSweep(deps: SweepDeps): (signal: AbortSignal) => Promise<void> {
  const logError = createRepeatedErrorLog({ logger: deps.logger, message: 'an obligation could not be fulfilled now' });
  return async (signal) => {
    let swept = BATCH;
    while (swept === BATCH && !signal.aborted) swept = await sweepDue(deps, logError);
  };
}

/** Whether a settlement with this outcome needs nothing more. Undefined for an outcome that is not known here. */
const IS_CLOSED: ReadonlyMap<SettlementOutcome, boolean> = new Map([
  [SettlementOutcome.SETTLEMENT_OUTCOME_SETTLED, true],
  [SettlementOutcome.SETTLEMENT_OUTCOME_FAILED, true],
  [SettlementOutcome.SETTLEMENT_OUTCOME_PENDING, false],
  [SettlementOutcome.SETTLEMENT_OUTCOME_NOT_SENT, false],
]);

/** A claim that is not found throws, and its record stays: the claim is rebuilt from it. */
async function isFulfilled({ resolveClaim }: SweepDeps, claimId: string): Promise<boolean> {
  const outcome = await resolveClaim(claimId);
  const isClosed = IS_CLOSED.get(outcome);
  if (isClosed === undefined) throw new Error(`the payments service answered the unknown outcome ${outcome}`);
  return isClosed;
}

async function sweepDue(deps: SweepDeps, logError: (error: unknown) => void): Promise<number> {
  const { obligations } = deps;
  const due = await obligations.takeDue(BATCH);
  const attempts = due.map(async (recordId) => {
    try {
      return (await isFulfilled(deps, recordId)) ? [recordId] : [];
    } catch (error) {
      logError(error);
      return [];
    }
  });
  const fulfilled = (await Promise.all(attempts)).flat();
  if (fulfilled.length > 0) await obligations.delete(fulfilled);
  return due.length;
}

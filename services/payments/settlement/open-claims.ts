import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';
import type { Settlement } from './settlement.ts';
import type { SettlingContext } from './settling-context.ts';

const BATCH = 100;

/**
 * Creates the work that asks the chain what became of payments whose answer is kept and that nobody settles. It repeats
 * while batches are full, so that a backlog does not wait for an interval for each batch.
 */
export function createOpenClaimsFollower(
  { claims, logger }: SettlingContext,
  settlement: Settlement,
): (signal: AbortSignal) => Promise<void> {
  const logError = createRepeatedErrorLog({ logger, message: 'an open payment could not be checked now' });

  async function check(claimId: string): Promise<void> {
    try {
      const claim = await claims.findById(claimId);
      if (claim !== undefined && !claim.final) await settlement.consult(claim);
    } catch (error) {
      logError(error);
    }
  }

  return async (signal) => {
    for (let taken = BATCH; taken === BATCH && !signal.aborted; ) {
      const due = await claims.takeDue(BATCH);
      await Promise.all(due.map(check));
      taken = due.length;
    }
  };
}

import type { VoidReason } from '../contract/ledger.ts';
import { callFunction } from './ledger-pool.ts';
import { readCredit, readOutcomes } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import { createDurabilityProbe } from './status.ts';
import type { TrialLedgerOptions } from './trial-options.ts';

const STATES = ['voided', 'posted', 'busy', 'unknown'] as const;

/**
 * `unknown`: the id was voided before, or never reserved. `busy`: another transaction has the reservation; ask again. The
 * balance is undefined if the id is unknown, or of a channel.
 */
export interface VoidOutcome {
  readonly state: (typeof STATES)[number];
  readonly balanceMicroUsd: bigint | undefined;
}

interface Void {
  readonly id: string;
  readonly reason: VoidReason;
}

const MAX_ITEMS = 64;
export function createVoid({ pool, network }: Pick<TrialLedgerOptions, 'pool' | 'network'>) {
  const add = createSettledBatch<Void, VoidOutcome>({
    async send(voids) {
      const rows = await callFunction(pool, 'void', [network, JSON.stringify(voids)]);
      return readOutcomes(rows, voids, STATES).map(({ state, row }) => ({ state, balanceMicroUsd: readCredit(row) }));
    },
    maxItems: MAX_ITEMS,
  });
  const probe = createDurabilityProbe(pool);
  return async (id: string, reason: VoidReason): Promise<VoidOutcome> => {
    const outcome = await add({ id, reason });
    // The post may not be on the standbys yet.
    if (outcome.state === 'posted') await probe();
    return outcome;
  };
}

import type { VoidReason } from '../contract/ledger.ts';
import { FUNCTIONS_SCHEMA } from './install-functions.ts';
import { runStatement } from './ledger-pool.ts';
import { readOutcomes } from './read-outcomes.ts';
import { createSettledBatch } from './settled-batch.ts';
import type { TrialLedgerOptions } from './trial-options.ts';

const STATES = ['voided', 'posted', 'busy', 'unknown'] as const;

/**
 * `unknown`: the id was voided before, or never reserved. `busy`: another transaction has the reservation; ask again. The
 * balance is undefined if the id is unknown.
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
const STATEMENT = `SELECT n, outcome, credit FROM ${FUNCTIONS_SCHEMA}.void($1, $2) ORDER BY n`;

export function createVoid({ pool, network }: TrialLedgerOptions) {
  const add = createSettledBatch<Void, VoidOutcome>({
    async send(voids) {
      const rows = await runStatement(pool, STATEMENT, [network, JSON.stringify(voids)]);
      return readOutcomes(rows, voids.length, STATES).map(({ state, creditMicroUsd }) => ({
        state,
        balanceMicroUsd: creditMicroUsd,
      }));
    },
    maxItems: MAX_ITEMS,
    maxBytes: Number.POSITIVE_INFINITY,
  });
  return (id: string, reason: VoidReason): Promise<VoidOutcome> => add({ id, reason }, 0);
}

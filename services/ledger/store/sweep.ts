import { callFunction } from './ledger-pool.ts';
import { readBigint } from './read-outcomes.ts';
import type { SweepOptions, TrialLedgerOptions } from './trial-options.ts';

/** Reservations that were overdue. The busy ones are left for the next sweep. */
export interface Sweep {
  readonly voided: number;
  readonly busy: number;
}

export function createSweep({ pool, network }: TrialLedgerOptions) {
  return async ({ graceMs, limit }: SweepOptions): Promise<Sweep> => {
    const rows = await callFunction(pool, 'sweep', [network, graceMs, limit]);
    const countOf = (outcome: string) => {
      const row = rows.find((found) => found['outcome'] === outcome);
      return row === undefined ? 0 : Number(readBigint(row['items']));
    };
    return { voided: countOf('voided'), busy: countOf('busy') };
  };
}

import { VOID_STATES, type VoidOutcome, type VoidReason } from '../contract/outcomes.ts';
import { auditLedger } from './audit.ts';
import { callFunction } from './ledger-pool.ts';
import { createKeep, createPost } from './post.ts';
import { itemCall, type LedgerPlace, readBigint, readCredit } from './read-outcomes.ts';
import { createReads } from './reads.ts';
import { createReserve } from './reserve.ts';
import { createSettledBatch } from './settled-batch.ts';
import { createDurabilityProbe } from './status.ts';
import type { SweepOptions, TrialLedgerOptions } from './trial-options.ts';

export type TrialLedger = ReturnType<typeof createTrialLedger>;

/** The credit of wallets. Every call may be repeated with the same id. Every method throws `LedgerUnavailableError`. */
export const createTrialLedger = (options: TrialLedgerOptions) => ({
  reserve: createReserve(options),
  post: createPost(options),
  keep: createKeep(options),
  void: createVoid(options),
  ...createReads(options),
  sweep: createSweep(options),
  /** Checks the books. Safe during live traffic. */
  audit: () => auditLedger(options),
});

interface Void {
  readonly id: string;
  readonly reason: VoidReason;
}

/** Returns the amount of an open reservation. */
export function createVoid(place: LedgerPlace): (id: string, reason: VoidReason) => Promise<VoidOutcome> {
  const call = itemCall(place, { name: 'void', states: VOID_STATES, format: (ask: Void) => ask });
  const add = createSettledBatch<Void, VoidOutcome>({
    send: async (voids) => (await call(voids)).map(({ state, row }) => ({ state, balanceMicroUsd: readCredit(row) })),
  });
  const probe = createDurabilityProbe(place.pool);
  return async (id, reason) => {
    const outcome = await add({ id, reason });
    // The post may not be on the standbys yet.
    if (outcome.state === 'posted') await probe();
    return outcome;
  };
}

/** Voids up to `limit` overdue reservations, and counts them. The busy ones are left for the next sweep. */
const createSweep =
  ({ pool, network }: LedgerPlace) =>
  async ({ graceMs, limit }: SweepOptions): Promise<{ readonly voided: number; readonly busy: number }> => {
    const rows = await callFunction(pool, 'sweep', [network, graceMs, limit]);
    const countOf = (outcome: string) => {
      const row = rows.find((found) => found['outcome'] === outcome);
      return row === undefined ? 0 : Number(readBigint(row['items']));
    };
    return { voided: countOf('voided'), busy: countOf('busy') };
  };

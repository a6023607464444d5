import type pg from 'pg';
import type { OverdueReservation } from '../contract/ledger.ts';
import { callFunction } from './ledger-pool.ts';
import { readBigint, readText } from './read-outcomes.ts';
import { readReservation } from './reads.ts';

/** The account of a wallet. All amounts are micro-USD. */
export interface StoredWallet {
  readonly grantedMicroUsd: bigint;
  readonly balanceMicroUsd: bigint;
  readonly reservedMicroUsd: bigint;
  readonly spentMicroUsd: bigint;
}

/** How many wallets of one network of clients got the free credit today. */
export interface StoredScope {
  /** IPv4 /24 or IPv6 /48, such as 192.0.2.0/24. */
  readonly scope: string;
  readonly grants: number;
}

/** What operators see of the ledger, and may reset. */
export interface Inspection {
  /** Undefined for a wallet that never reserved anything. */
  wallet(address: string): Promise<StoredWallet | undefined>;
  /** Open reservations of trials, the oldest deadline first. */
  pending(limit: number): Promise<readonly OverdueReservation[]>;
  /** Today's grants by scope, the most first. */
  grants(): Promise<readonly StoredScope[]>;
  /** Sets today's count of a scope to 0. Balances stay. @returns the count before; undefined if it has none */
  resetGrants(scope: string): Promise<number | undefined>;
}

export function inspectLedger({ pool, network }: { readonly pool: pg.Pool; readonly network: string }): Inspection {
  const call = (name: string, ...values: readonly unknown[]) => callFunction(pool, name, [network, ...values]);
  return {
    async wallet(address) {
      const [row] = await call('wallet', address.toLowerCase());
      if (row === undefined) return undefined;
      return {
        grantedMicroUsd: readBigint(row['granted']),
        balanceMicroUsd: readBigint(row['balance']),
        reservedMicroUsd: readBigint(row['reserved']),
        spentMicroUsd: readBigint(row['spent']),
      };
    },
    async pending(limit) {
      return (await call('overdue', false, null, limit)).map(readReservation);
    },
    async grants() {
      const rows = await call('grants');
      return rows.map(({ scope, grants }) => ({ scope: readText(scope), grants: readCount(grants) }));
    },
    async resetGrants(scope) {
      const [row] = await call('reset_grants', scope);
      return row === undefined ? undefined : readCount(row['grants']);
    },
  };
}

function readCount(value: unknown): number {
  if (typeof value !== 'number') throw new TypeError('the ledger answered no count');
  return value;
}

import { sql } from 'kysely';
import type { SchemeEarnings } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Database } from './database.ts';
import { LEDGER_FUNCTIONS } from './ledger-functions.ts';

/** What earnings can be grouped by, in the order in which they are printed. */
export const EARNING_KEYS = ['day', 'network', 'scheme', 'operation'] as const;
export type EarningKey = (typeof EARNING_KEYS)[number];

/** Sums of the calls that were paid for. Trials and payments that the chain lost are not among them. */
export interface EarningSums {
  readonly calls: bigint;
  /** Prices of the calls: of `exact` when its payment is settled, of channels when the call is charged. */
  readonly soldMicroUsd: bigint;
  /** What was transferred to the seller: settlements, and claims of channels. */
  readonly settledMicroUsd: bigint;
  /** What the contract holds now for charges of channels. */
  readonly claimableMicroUsd: bigint;
  readonly refundedMicroUsd: bigint;
  /** What transactions of this service cost that are final. */
  readonly gasWei: bigint;
  /** Transactions whose gas somebody else paid, such as a facilitator, or whose cost the node did not say. */
  readonly unknownGas: bigint;
}

export interface Earning extends EarningSums {
  /** UTC, such as 2030-01-31. Null: of no day, such as what can be claimed now. */
  readonly day: string | null;
  /** CAIP-2. */
  readonly network: string;
  readonly scheme: string;
  /** `unknown`: not recorded. `-`: of no single operation, such as claims and gas. */
  readonly operation: string;
}

/** Reads the sums of all past days, and the calls of the last three. */
export async function readEarnings(database: Database): Promise<readonly Earning[]> {
  const { rows } = await sql<Omit<Earning, 'gasWei'> & { readonly gasWei: string }>`
    SELECT day, network, scheme, operation, calls, sold AS "soldMicroUsd", settled AS "settledMicroUsd",
      claimable AS "claimableMicroUsd", refunded AS "refundedMicroUsd", gas_wei AS "gasWei", unknown_gas AS "unknownGas"
    FROM ${sql.id(LEDGER_FUNCTIONS)}.earnings()`.execute(database);
  return rows.map((row) => ({ ...row, gasWei: BigInt(row.gasWei) }));
}

export interface EarningGroup extends EarningSums {
  /** The values of the keys, in their order. */
  readonly of: readonly string[];
}

/** Adds earnings up that have the same values of the keys, in the order of their first. */
export function groupEarnings(earnings: readonly Earning[], by: readonly EarningKey[]): readonly EarningGroup[] {
  const groups = new Map<string, EarningGroup>();
  for (const earning of earnings) {
    const of = by.map((key) => earning[key] ?? '-');
    const id = JSON.stringify(of);
    groups.set(id, { of, ...sum(groups.get(id) ?? NOTHING, earning) });
  }
  return [...groups.values()];
}

/** What a network earned with each scheme. */
export async function readSchemeEarnings(database: Database, network: string): Promise<SchemeEarnings[]> {
  const ours = (await readEarnings(database)).filter((earning) => earning.network === network);
  return groupEarnings(ours, ['scheme']).map(({ of: [scheme = ''], gasWei, ...sums }) => ({
    ...sums,
    scheme,
    gasWei: `${gasWei}`,
  }));
}

/** What was sold less what was refunded. Gas is paid in ether, and not converted. */
export const netMicroUsd = ({ soldMicroUsd, refundedMicroUsd }: EarningSums): bigint => soldMicroUsd - refundedMicroUsd;

const NOTHING: EarningSums = {
  calls: 0n,
  soldMicroUsd: 0n,
  settledMicroUsd: 0n,
  claimableMicroUsd: 0n,
  refundedMicroUsd: 0n,
  gasWei: 0n,
  unknownGas: 0n,
};

const sum = (one: EarningSums, other: EarningSums): EarningSums => ({
  calls: one.calls + other.calls,
  soldMicroUsd: one.soldMicroUsd + other.soldMicroUsd,
  settledMicroUsd: one.settledMicroUsd + other.settledMicroUsd,
  claimableMicroUsd: one.claimableMicroUsd + other.claimableMicroUsd,
  refundedMicroUsd: one.refundedMicroUsd + other.refundedMicroUsd,
  gasWei: one.gasWei + other.gasWei,
  unknownGas: one.unknownGas + other.unknownGas,
});

import { type Selectable, sql } from 'kysely';
import { getAddress, type Hex } from 'viem';
import type { Database } from '../../store/database.ts';
import type { Tables } from '../../store/tables.ts';
import type { Context } from '../payment/context.ts';
import { toLowerHex } from '../payment/hex.ts';

export interface Payee extends Pick<Context, 'database' | 'network'> {
  readonly asset: Hex;
  readonly payee: Hex;
}

export type Books = ReturnType<typeof createBooks>;

export type RunBy = 'job' | 'operator';

export interface BlockRange {
  readonly from: bigint;
  readonly to: bigint;
}

export interface Run {
  readonly toBlock: bigint;
  readonly balance: bigint;
  readonly madeAt: Date;
}

export interface BookedClaim {
  readonly claimId: string;
  readonly payer: string;
  readonly amount: bigint;
  readonly transaction: string | null;
  readonly state: Selectable<Tables['ledger.payment_claim']>['state'];
  readonly isLost: boolean;
}

export interface BookedRefund {
  readonly claimId: string;
  readonly transaction: string;
  readonly logIndex: bigint;
  readonly amount: bigint;
}

/** The addresses that had a run, in order: the present payee, and those of earlier settings. Checksummed. */
export async function listPayees(
  database: Database,
  { network, asset }: { readonly network: string; readonly asset: Hex },
): Promise<readonly Hex[]> {
  const { rows } = await sql<{ payee: string }>`SELECT DISTINCT payee FROM payment_reconciliation
    WHERE network = ${network} AND asset = ${asset} ORDER BY payee`.execute(database);
  return rows.map(({ payee }) => getAddress(payee));
}

/** A claim that was not located for this long is missing. */
const LOCATED_WITHIN = sql`interval '1 hour'`;

/** What PostgreSQL says about the payments of one network, asset and payee. */
export function createBooks({ database, network, asset, payee }: Payee) {
  const claims = sql`SELECT claim_id AS "claimId", payer, amount, transaction, state, lost_at IS NOT NULL AS "isLost"`;
  const ours = sql`network = ${network} AND asset = ${asset}`;
  const ourClaims = sql`network = ${network} AND asset = ${asset.toLowerCase()} AND pay_to = ${payee.toLowerCase()}
    AND state <> 'executing'`;
  const within = ({ from, to }: BlockRange) => sql`block_number BETWEEN ${from} AND ${to}`;
  const select = async <Row>(query: ReturnType<typeof sql<Row>>) => (await query.execute(database)).rows;
  const selectClaims = async <Row extends BookedClaim>(query: ReturnType<typeof sql<Row>>) =>
    (await select(query)).map((claim) => ({ ...claim, payer: getAddress(claim.payer) }));
  return {
    /** The last run of this kind; undefined before the first. */
    async lastRun(runBy: RunBy): Promise<Run | undefined> {
      const [run] = await select(sql<{ toBlock: bigint; balance: string; madeAt: Date }>`
        SELECT to_block AS "toBlock", balance::text AS balance, made_at AS "madeAt" FROM payment_reconciliation
        WHERE ${ours} AND payee = ${payee} AND run_by = ${runBy} ORDER BY sequence DESC LIMIT 1`);
      return run && { ...run, balance: BigInt(run.balance) };
    },
    async record(
      runBy: RunBy,
      {
        from,
        to,
        balance,
        differs,
        report,
      }: BlockRange & { readonly balance: bigint; readonly differs: boolean; readonly report: string },
    ): Promise<void> {
      await sql`INSERT INTO payment_reconciliation
        (network, asset, payee, run_by, from_block, to_block, balance, differs, report)
        VALUES (${network}, ${asset}, ${payee}, ${runBy}, ${from}, ${to}, ${balance}, ${differs}, ${report})`.execute(
        database,
      );
    },
    /** The earliest block from which a claim is searched; undefined where no claim was retained. */
    async firstBlock(): Promise<bigint | undefined> {
      const [row] = await select(sql<{ first: bigint | null }>`
        SELECT min(from_block) AS first FROM ledger.payment_claim WHERE ${ourClaims}`);
      return row?.first ?? undefined;
    },
    /** The settled claims that were located in these blocks. */
    settledIn: (blocks: BlockRange): Promise<readonly BookedClaim[]> =>
      selectClaims(sql<BookedClaim>`${claims} FROM ledger.payment_claim
        WHERE ${ourClaims} AND state = 'settled' AND lost_at IS NULL AND ${within(blocks)}`),
    /** The claims with one of these transactions. */
    claimsOf: (transactions: readonly Hex[]): Promise<readonly BookedClaim[]> =>
      selectClaims(sql<BookedClaim>`${claims} FROM ledger.payment_claim
        WHERE ${ourClaims} AND transaction = ANY(${transactions.map(toLowerHex)}::text[])`),
    async claimOf({ payer, nonce }: { readonly payer: Hex; readonly nonce: Hex }): Promise<BookedClaim | undefined> {
      const [claim] = await selectClaims(sql<BookedClaim>`${claims} FROM ledger.payment_claim
        WHERE ${ourClaims} AND payer = ${toLowerHex(payer)} AND nonce = ${toLowerHex(nonce)}`);
      return claim;
    },
    /** The claims that were lost since a time, and those that were settled long ago and were never located. */
    missing: (sinceTime: Date | undefined): Promise<readonly (BookedClaim & { readonly reason: string })[]> =>
      selectClaims(sql<BookedClaim & { reason: string }>`${claims},
          coalesce(lost_reason, 'the chain does not have its transfer') AS reason FROM ledger.payment_claim
        WHERE ${ourClaims} AND state = 'settled' AND (lost_at > ${sinceTime ?? new Date(0)}
          OR (lost_at IS NULL AND finalized_at IS NULL AND block_number IS NULL
            AND created_at < clock_timestamp() - ${LOCATED_WITHIN}))
        ORDER BY claim_id`),
    refundsIn: (blocks: BlockRange): Promise<readonly BookedRefund[]> =>
      select(sql<BookedRefund>`
        SELECT claim_id AS "claimId", transaction, log_index AS "logIndex", amount FROM payment_refund
        WHERE ${ours} AND payee = ${payee} AND ${within(blocks)}`),
  };
}

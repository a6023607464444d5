import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { PaymentClaim } from '../../store/payment-claims.ts';
import { onlyRow } from '../../store/rows.ts';
import type { ConfirmedBlocks } from '../chain/confirmed-blocks.ts';

export interface LostRefundsOptions {
  readonly database: Database;
  readonly blocks: Pick<ConfirmedBlocks, 'readBlock'>;
  readonly isSandbox: boolean;
}

type LostClaim = Pick<PaymentClaim, 'network' | 'asset' | 'payTo' | 'payer' | 'amount' | 'createdAt'>;

/** Finds refunds whose records were lost when the database was restored from a backup. */
export interface LostRefunds {
  /** Why the claim may have been refunded already, or undefined. */
  findRefusal(claim: LostClaim): Promise<string | undefined>;
}

/**
 * A restored database may lack the record of a refund, and a claim is refunded once. So the transfers that a
 * reconciliation found since the restore must not include one that could be the refund.
 */
export function createLostRefunds({ database, blocks, isSandbox }: LostRefundsOptions): LostRefunds {
  const ofPayee = ({ network, asset, payTo }: LostClaim) =>
    sql`network = ${network} AND asset = ${asset} AND payee = ${payTo}`;

  /** When the latest epoch began. Now, if the ledger has not begun it yet. Null: the database was never restored. */
  async function readRestoredAt(): Promise<Date | null> {
    const { rows } = await sql<{ at: Date | null }>`
      SELECT CASE WHEN identity <> ledger.identity() THEN clock_timestamp() WHEN number > 0 THEN began_at END AS at
      FROM ledger.epoch ORDER BY number DESC LIMIT 1`.execute(database);
    return onlyRow(rows).at;
  }

  /** Whether the transfers until then are all reported. */
  async function isReconciled(claim: LostClaim, until: Date): Promise<boolean> {
    const { rows } = await sql<{ last: bigint | null }>`
      SELECT max(to_block) AS last FROM payment_reconciliation WHERE ${ofPayee(claim)}`.execute(database);
    const last = rows[0]?.last ?? undefined;
    if (last === undefined) return false;
    const next = await blocks.readBlock(last + 1n);
    // The node of the sandbox makes a block only for a transaction. Another one that has no later block lags behind.
    return next === undefined ? isSandbox : Number(next.timestamp) * 1000 > until.getTime();
  }

  async function findTransfer(claim: LostClaim): Promise<string | undefined> {
    const { payer, amount } = claim;
    const { rows } = await sql<{ transaction: string }>`
      SELECT sent ->> 'transaction' AS transaction
      FROM payment_reconciliation, jsonb_array_elements(report::jsonb -> 'otherTransfersSent') AS sent
      WHERE ${ofPayee(claim)} AND lower(sent ->> 'to') = ${payer.toLowerCase()} AND sent ->> 'amount' = ${String(amount)}
        AND NOT EXISTS (SELECT FROM payment_refund WHERE lower(transaction) = lower(sent ->> 'transaction'))
      LIMIT 1`.execute(database);
    return rows[0]?.transaction;
  }

  return {
    async findRefusal(claim) {
      const restoredAt = await readRestoredAt();
      if (restoredAt === null || claim.createdAt > restoredAt) return undefined;
      if (!(await isReconciled(claim, restoredAt)))
        return 'the database was restored, and may lack the record of a refund: run payments reconcile first';
      const transaction = await findTransfer(claim);
      if (transaction === undefined) return undefined;
      return (
        `transaction ${transaction} transferred the same amount to the payer, and the record of its purpose may be lost. ` +
        'If it is the refund, record it with --transaction. If not, send the refund from the payee, and record that'
      );
    },
  };
}

import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import type { PaymentClaim } from '../../store/payment-claims.ts';
import { onlyRow } from '../../store/rows.ts';
import { LOG_RANGE_BLOCKS } from '../chain/authorization-use.ts';
import { type Rpc, readLatestBlock } from '../chain/rpc.ts';
import { readTransfers } from '../chain/transfers.ts';
import { NotQuietError, type TransactionSender } from '../signer/transaction-sender.ts';
import { isRefundOf, type RefundedClaim } from './refund-records.ts';

export interface LostRefundsOptions {
  readonly database: Database;
  readonly rpc: Rpc;
  /** undefined: the key of the payee is not held here. */
  readonly payee: Pick<TransactionSender, 'address' | 'whileQuiet'> | undefined;
}

type LostClaim = RefundedClaim & Pick<PaymentClaim, 'createdAt'>;

/** Finds refunds whose records were lost when the database was restored from a backup. */
export interface LostRefunds {
  /** Why the claim may have been refunded already, or undefined. */
  findRefusal(claim: LostClaim): Promise<string | undefined>;
}

/** Most blocks after the last reconciliation that are searched. */
const MAX_BLOCKS = 20n * LOG_RANGE_BLOCKS;

/**
 * A restored database may lack the record of a refund, and a claim is refunded once. So a claim from before the restore is
 * refunded only if no transfer of the payee can be its refund: none in the chain, and none on its way. After a block in which
 * all transactions of the payee are mined, each of its transactions is one that is recorded.
 */
export function createLostRefunds({ database, rpc, payee }: LostRefundsOptions): LostRefunds {
  /** When the latest epoch began. Now, if the ledger has not begun it yet. Null: the database was never restored. */
  async function readRestoredAt(): Promise<Date | null> {
    const { rows } = await sql<{ at: Date | null }>`
      SELECT CASE WHEN identity <> ledger.identity() THEN clock_timestamp() WHEN number > 0 THEN began_at END AS at
      FROM ledger.epoch ORDER BY number DESC LIMIT 1`.execute(database);
    return onlyRow(rows).at;
  }

  /** The last block whose transfers are reported. */
  async function readReconciled({ network, asset, payee: from }: LostClaim): Promise<bigint | undefined> {
    const { rows } = await sql<{ last: bigint | null }>`
      SELECT max(to_block) AS last FROM payment_reconciliation
      WHERE network = ${network} AND asset = ${asset} AND payee = ${from}`.execute(database);
    return onlyRow(rows).last ?? undefined;
  }

  /** @returns the latest block; where the key of the payee is held here, a block in which all its transactions are mined */
  const readEnd = async (claim: LostClaim): Promise<bigint> =>
    payee?.address === claim.payee ? payee.whileQuiet(async (block) => block) : (await readLatestBlock(rpc)).number;

  /** A transfer that could be the refund, and is not recorded as one: of the reported ones, and in later blocks. */
  async function findTransfer(claim: LostClaim, after: bigint, to: bigint): Promise<string | undefined> {
    const { network, asset, payee: account, payer, amount } = claim;
    const later = await readTransfers(rpc, { asset, account, direction: 'sent' }, { from: after + 1n, to });
    const hashes = later.filter((transfer) => isRefundOf(transfer, claim)).map(({ transaction }) => transaction);
    const { rows } = await sql<{ transaction: string }>`
      SELECT transaction FROM (
        SELECT sent ->> 'transaction' AS transaction
        FROM payment_reconciliation, jsonb_array_elements(report::jsonb -> 'otherTransfersSent') AS sent
        WHERE network = ${network} AND asset = ${asset} AND payee = ${account}
          AND lower(sent ->> 'to') = ${payer.toLowerCase()} AND sent ->> 'amount' = ${String(amount)}
        UNION ALL SELECT unnest(${hashes}::text[])) AS transfer
      WHERE NOT EXISTS (SELECT FROM payment_refund WHERE lower(payment_refund.transaction) = lower(transfer.transaction))
      LIMIT 1`.execute(database);
    return rows[0]?.transaction;
  }

  return {
    async findRefusal(claim) {
      const restoredAt = await readRestoredAt();
      if (restoredAt === null || claim.createdAt > restoredAt) return undefined;
      const reconciled = await readReconciled(claim);
      try {
        const end = await readEnd(claim);
        if (reconciled === undefined || end > reconciled + MAX_BLOCKS)
          return 'the database was restored, and may lack the record of a refund: run payments reconcile first';
        const transaction = await findTransfer(claim, reconciled, end);
        if (transaction === undefined) return undefined;
        return (
          `transaction ${transaction} transferred the same amount to the payer, and the record of its purpose may be lost. ` +
          'If it is the refund, record it with --transaction. If not, send the refund from the payee, and record that'
        );
      } catch (error) {
        if (!(error instanceof NotQuietError)) throw error;
        return (
          'the database was restored, and may lack the record of a refund; a transaction of the payee waits to be mined, ' +
          'and could be it. Try again when it is mined'
        );
      }
    },
  };
}

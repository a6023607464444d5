import { sql } from 'kysely';
import type { PaymentClaim } from '../../store/payment-claims.ts';
import { onlyRow } from '../../store/rows.ts';
import { decide } from '../chain/nodes.ts';
import { LOG_RANGE_BLOCKS } from '../chain/rpc.ts';
import { readTransfers } from '../chain/transfers.ts';
import { NotQuietError } from '../signer/transaction-sender.ts';
import type { DeskContext } from './desk-context.ts';
import { isRefundOf, type NeededTransfer } from './refund-records.ts';
import type { Restored } from './restored.ts';

/** Finds transfers that no refund is recorded with, and that could be the refund of a claim. */
export type SentRefunds = ReturnType<typeof createSentRefunds>;

/** Most blocks after the last reconciliation that are searched. */
const MAX_BLOCKS = 20n * LOG_RANGE_BLOCKS;

/**
 * A claim is refunded once, so none of the payee's transfers may be its refund: none in the chain, and none that waits to be
 * mined. What a node does not show as waiting is not seen: a transaction that it dropped, or one that waits for another one
 * with an earlier nonce.
 */
export function createSentRefunds({ database, rpc }: DeskContext, restored: Restored) {
  /** The last block whose transfers are reported. */
  async function readReconciled({ network, asset, payee }: NeededTransfer): Promise<bigint | undefined> {
    const { rows } = await sql<{ last: bigint | null }>`
      SELECT max(to_block) AS last FROM payment_reconciliation
      WHERE network = ${network} AND asset = ${asset} AND payee = ${payee}`.execute(database);
    return onlyRow(rows).last ?? undefined;
  }

  /** A transfer that could be the refund, and is not recorded as one: of the reported ones, and in later blocks. */
  async function findTransfer(claim: NeededTransfer, after: bigint, to: bigint): Promise<string | undefined> {
    const { network, asset, payee: account, payer, amount } = claim;
    const later = await readTransfers(rpc, { asset, account, direction: 'sent' }, { from: after + 1n, to });
    const found = later.filter((transfer) => isRefundOf(transfer, claim));
    const [hashes, indexes] = [found.map(({ transaction }) => transaction), found.map(({ logIndex }) => logIndex)];
    const { rows } = await sql<{ transaction: string }>`
      SELECT transaction FROM (
        SELECT sent ->> 'transaction' AS transaction, (sent ->> 'logIndex')::bigint AS log_index
        FROM payment_reconciliation, jsonb_array_elements(report::jsonb -> 'otherTransfersSent') AS sent
        WHERE network = ${network} AND asset = ${asset} AND payee = ${account}
          AND lower(sent ->> 'to') = ${payer.toLowerCase()} AND sent ->> 'amount' = ${String(amount)}
        UNION ALL SELECT * FROM unnest(${hashes}::text[], ${indexes}::bigint[])) AS transfer
      WHERE NOT EXISTS (SELECT FROM payment_refund AS refund
        WHERE refund.transaction = transfer.transaction AND refund.log_index = transfer.log_index)
      LIMIT 1`.execute(database);
    return rows[0]?.transaction;
  }

  return {
    /**
     * @param since such a transfer may have been sent until then
     * @param why what is not known, for an operator
     * @returns why the claim may have been refunded, or undefined
     */
    async findRefusal(
      claim: NeededTransfer & Pick<PaymentClaim, 'blockNumber'>,
      since: Date,
      why: string,
    ): Promise<string | undefined> {
      const reconciled = (await readReconciled(claim)) ?? claim.blockNumber ?? 0n;
      try {
        const { isFar, transaction } = await decide(async () => {
          const end = await restored.readEnd(claim.payee, since);
          const isBeyond = end > reconciled + MAX_BLOCKS;
          return { isFar: isBeyond, transaction: isBeyond ? undefined : await findTransfer(claim, reconciled, end) };
        });
        if (isFar) return `${why}: run payments reconcile first`;
        if (transaction === undefined) return undefined;
        return (
          `transaction ${transaction} transferred the same amount to the payer, and is no refund that is recorded. ` +
          'If it is the refund, record it with --transaction. If not, send the refund from the payee, and record that'
        );
      } catch (error) {
        if (!(error instanceof NotQuietError)) throw error;
        return `${why}; ${error.message}. Try again later`;
      }
    },
  };
}

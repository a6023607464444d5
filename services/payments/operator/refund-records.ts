import { type Selectable, sql, type Transaction } from 'kysely';
import { type Hex, isAddressEqual } from 'viem';
import type { Database } from '../../store/database.ts';
import { type ActBy, recordAct } from '../../store/operator-acts.ts';
import type { Tables } from '../../store/tables.ts';
import { brokenConstraint } from '../../store/unique.ts';
import type { Transfer } from '../chain/transfers.ts';
import { isBytes32, isHexAddress } from '../payment/hex.ts';

export type By = ActBy;

/** The transfer that refunds a claim. */
export interface NeededTransfer {
  readonly claimId: string;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: Hex;
  readonly payee: Hex;
  readonly payer: Hex;
  /** Atomic units of the asset. */
  readonly amount: bigint;
}

export interface Refund extends NeededTransfer {
  /** When an operator was told the transfer. */
  readonly openedAt: Date;
  /** The final transaction that has it. Undefined: the refund is open. */
  readonly transaction: Hex | undefined;
}

type MinedTransfer = Pick<Transfer, 'transaction' | 'block' | 'logIndex'>;

/** Whether a transfer could be the refund of a claim: all of one amount to one payer are alike. */
export const isRefundOf = (
  { from, to, value }: Transfer,
  { payee, payer, amount }: Pick<NeededTransfer, 'payee' | 'payer' | 'amount'>,
): boolean => isAddressEqual(from, payee) && isAddressEqual(to, payer) && value === amount;

export type RefundRecords = ReturnType<typeof createRefundRecords>;

/** The refunds in PostgreSQL. A claim has at most one. */
export function createRefundRecords(database: Database) {
  return {
    async find(claimId: string): Promise<Refund | undefined> {
      const row = await database
        .selectFrom('payment_refund')
        .selectAll()
        .where('claim_id', '=', claimId)
        .executeTakeFirst();
      return row && toRefund(row);
    },
    /** Opens a refund, or notes that an operator was told the transfer again. */
    open: (transfer: NeededTransfer, by: By): Promise<void> =>
      database.transaction().execute(async (inside) => {
        await sql`INSERT INTO payment_refund (claim_id, network, asset, payee, payer, amount)
          VALUES (${sql.join(valuesOf(transfer))}) ON CONFLICT (claim_id) DO NOTHING`.execute(inside);
        await record(inside, 'payments.refund', transfer, by);
      }),
    /** Ends a refund with a final transfer. @returns whether the transfer is that of another claim, and nothing was recorded */
    async isTakenAtEnd(transfer: NeededTransfer, mined: MinedTransfer, by: By): Promise<boolean> {
      const { transaction, block, logIndex } = mined;
      try {
        await database.transaction().execute(async (inside) => {
          const { numAffectedRows } =
            await sql`INSERT INTO payment_refund AS refund (claim_id, network, asset, payee, payer,
              amount, transaction, block_number, log_index, finalized_at)
            VALUES (${sql.join(valuesOf(transfer))}, ${transaction}, ${block.number}, ${logIndex}, clock_timestamp())
            ON CONFLICT (claim_id) DO UPDATE SET transaction = excluded.transaction, block_number = excluded.block_number,
              log_index = excluded.log_index, finalized_at = excluded.finalized_at
            WHERE refund.finalized_at IS NULL`.execute(inside);
          if (numAffectedRows !== 1n) throw new Error(`the refund of claim ${transfer.claimId} has changed meanwhile`);
          await record(inside, 'payments.refund-sent', transfer, by, { transaction });
        });
        return false;
      } catch (error) {
        if (brokenConstraint(error) === 'payment_refund_network_transaction_log_index_key') return true;
        throw error;
      }
    },
  };
}

const valuesOf = ({ claimId, network, asset, payee, payer, amount }: NeededTransfer) =>
  [claimId, network, asset, payee, payer, amount] as const;

async function record(
  inside: Transaction<Tables>,
  action: string,
  { claimId: subject, network, asset, payee, payer, amount }: NeededTransfer,
  by: By,
  sent: { readonly transaction?: Hex } = {},
): Promise<void> {
  await recordAct(inside, {
    ...by,
    action,
    subject,
    detail: { network, asset, payee, payer, amount: `${amount}`, ...sent },
  });
}

/** @throws {Error} for a row that this service cannot have written */
function toRefund(row: Selectable<Tables['payment_refund']>): Refund {
  const { claim_id: claimId, network, asset, payee, payer, amount, transaction } = row;
  const isWellFormed = isHexAddress(asset) && isHexAddress(payee) && isHexAddress(payer);
  if (!isWellFormed || (transaction !== null && !isBytes32(transaction))) {
    throw new Error(`the refund of claim ${claimId} is malformed`);
  }
  return {
    ...{ claimId, network, asset, payee, payer, amount },
    openedAt: row.opened_at,
    transaction: transaction ?? undefined,
  };
}

import { sql, type Transaction } from 'kysely';
import { type Hex, isAddressEqual } from 'viem';
import type { Database } from '../../store/database.ts';
import { type OperatorAct, recordAct } from '../../store/operator-acts.ts';
import type { Tables } from '../../store/tables.ts';
import type { BlockRef } from '../chain/authorization-use.ts';
import type { Transfer } from '../chain/transfers.ts';
import { isBytes32, isHexAddress } from '../payment/hex.ts';
import type { SignedTransaction } from '../signer/transaction-sender.ts';

export type By = Pick<OperatorAct, 'operator' | 'reason'>;

/** A transfer of tokens, and where it is in the chain. */
export interface MinedTransfer {
  readonly transaction: Hex;
  readonly block: BlockRef;
  readonly logIndex: bigint;
}

export interface RefundedClaim {
  readonly claimId: string;
  /** CAIP-2. */
  readonly network: string;
  readonly asset: Hex;
  readonly payee: Hex;
  readonly payer: Hex;
  readonly amount: bigint;
}

/** Whether a transfer is, or could be, the refund of a claim. */
export const isRefundOf = (
  { from, to, value }: Transfer,
  { payee, payer, amount }: Pick<RefundedClaim, 'payee' | 'payer' | 'amount'>,
): boolean => isAddressEqual(from, payee) && isAddressEqual(to, payer) && value === amount;

export interface Refund extends RefundedClaim {
  /** Hashes of the signed transactions, the last one at the end. They share one nonce. */
  readonly transactions: readonly [Hex, ...Hex[]];
  /** The last signed transaction; undefined: an operator sent the refund. */
  readonly signed: SignedRefund | undefined;
  /** When the first one was signed. */
  readonly signedAt: Date;
  readonly mined: MinedTransfer | undefined;
  readonly isFinal: boolean;
}

/** The refunds in PostgreSQL. A claim has at most one. */
export interface RefundRecords {
  find(claimId: string): Promise<Refund | undefined>;
  /** Claims whose refunds are not final. */
  unfinal(): Promise<readonly { readonly claimId: string; readonly payer: string }[]>;
  /** Records a refund and the act before it is sent. @throws if the claim has a refund */
  insert(claim: RefundedClaim, sent: SentRefund, by: By): Promise<void>;
  /** Records a final transfer that an operator sent. @throws if the claim has a refund, or the transfer is another refund */
  insertFinal(claim: RefundedClaim, mined: MinedTransfer, by: By): Promise<void>;
  /** Adds a transaction with the same nonce and higher fees. @throws if another one was added meanwhile */
  addReplacement(refund: Refund, sent: SentRefund): Promise<void>;
  /** Adds a transaction that an operator sent, and the act. @throws if another one was added meanwhile */
  addSent(refund: Refund, sent: SentRefund, by: By): Promise<void>;
  /** Replaces transactions that can no longer be mined. @throws if they were replaced meanwhile */
  replace(refund: Refund, sent: SentRefund): Promise<void>;
  /** Whether a transfer is the refund of another claim: recorded as that, or else of a claim with an earlier id. */
  isOfAnother(claimId: string, transfer: Pick<MinedTransfer, 'transaction' | 'logIndex'>): Promise<boolean>;
  /** Notes that no block up to this one has a transaction with the nonce that is the refund. */
  noteSearched(refund: Refund, to: bigint): Promise<void>;
  /** Records where the transfer is in the chain; undefined: nowhere now. */
  locate(claimId: string, mined: MinedTransfer | undefined): Promise<void>;
  finalize(claimId: string): Promise<void>;
}

export interface SentRefund {
  readonly transaction: Hex;
  readonly signed: SignedRefund;
}

export interface SignedRefund extends SignedTransaction {
  /** The first block that may have a transaction with this nonce. */
  readonly fromBlock: bigint;
}

export function createRefundRecords(database: Database, network: string): RefundRecords {
  return {
    async find(claimId) {
      const row = await database
        .selectFrom('payment_refund')
        .selectAll()
        .where('claim_id', '=', claimId)
        .executeTakeFirst();
      return row && toRefund(row);
    },
    async unfinal() {
      return database
        .selectFrom('payment_refund')
        .select(['claim_id as claimId', 'payer'])
        .where('network', '=', network)
        .where('finalized_at', 'is', null)
        .execute();
    },
    insert: (claim, { transaction, signed }, by) =>
      database.transaction().execute(async (inside) => {
        await inside
          .insertInto('payment_refund')
          .values({ ...rowOf(claim), transactions: [transaction], ...signedFields(signed) })
          .execute();
        await recordRefund(inside, claim, transaction, by);
      }),
    insertFinal: (claim, { transaction, block, logIndex }, by) =>
      database.transaction().execute(async (inside) => {
        await inside
          .insertInto('payment_refund')
          .values({
            ...rowOf(claim),
            transactions: [transaction],
            transaction,
            block_number: block.number,
            block_hash: block.hash,
            log_index: logIndex,
            finalized_at: sql<Date>`clock_timestamp()`,
          })
          .execute();
        await recordRefund(inside, claim, transaction, by);
      }),
    addReplacement: (refund, { transaction, signed }) =>
      change(database, refund, [...refund.transactions, transaction], signed),
    addSent: (refund, { transaction, signed }, by) =>
      database.transaction().execute(async (inside) => {
        await change(inside, refund, [...refund.transactions, transaction], signed);
        await recordRefund(inside, refund, transaction, by);
      }),
    replace: (refund, { transaction, signed }) => change(database, refund, [transaction], signed),
    async isOfAnother(claimId, { transaction, logIndex }) {
      const { rows } = await sql`SELECT FROM payment_refund WHERE network = ${network} AND claim_id <> ${claimId} AND (
          (transaction = ${transaction} AND log_index = ${logIndex})
          OR (transaction IS NULL AND ${transaction} = ANY(transactions) AND claim_id < ${claimId}
            AND NOT EXISTS (SELECT FROM payment_refund AS own WHERE own.claim_id = ${claimId}
              AND own.transaction = ${transaction} AND own.log_index = ${logIndex})))`.execute(database);
      return rows.length > 0;
    },
    async noteSearched({ claimId, transactions }, to) {
      await database
        .updateTable('payment_refund')
        .set({ from_block: to + 1n })
        .where('claim_id', '=', claimId)
        .where(sql<boolean>`transactions = ${[...transactions]}::text[]`)
        .execute();
    },
    async locate(claimId, mined) {
      await database
        .updateTable('payment_refund')
        .set({
          transaction: mined?.transaction ?? null,
          block_number: mined?.block.number ?? null,
          block_hash: mined?.block.hash ?? null,
          log_index: mined?.logIndex ?? null,
        })
        .where('claim_id', '=', claimId)
        .where('finalized_at', 'is', null)
        .execute();
    },
    async finalize(claimId) {
      await database
        .updateTable('payment_refund')
        .set({ finalized_at: sql<Date>`clock_timestamp()` })
        .where('claim_id', '=', claimId)
        .where('transaction', 'is not', null)
        .where('finalized_at', 'is', null)
        .execute();
    },
  };
}

async function change(
  database: Database | Transaction<Tables>,
  refund: Refund,
  transactions: readonly Hex[],
  signed: SignedRefund,
) {
  const { numUpdatedRows } = await database
    .updateTable('payment_refund')
    .set({ transactions: [...transactions], ...signedFields(signed) })
    .where('claim_id', '=', refund.claimId)
    .where(sql<boolean>`transactions = ${[...refund.transactions]}::text[]`)
    .where('finalized_at', 'is', null)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) throw new Error(`the refund of claim ${refund.claimId} has changed meanwhile`);
}

const rowOf = ({ claimId, network, asset, payee, payer, amount }: RefundedClaim) => ({
  claim_id: claimId,
  network,
  asset,
  payee,
  payer,
  amount,
});

const signedFields = ({ nonce, serialized, fromBlock }: SignedRefund) => ({
  nonce: BigInt(nonce),
  signed: serialized,
  from_block: fromBlock,
});

async function recordRefund(
  inside: Transaction<Tables>,
  claim: RefundedClaim,
  transaction: Hex,
  by: By,
): Promise<void> {
  const { claimId: subject, network, asset, payee, payer, amount } = claim;
  const detail = { network, asset, payee, payer, amount: `${amount}`, transaction };
  await recordAct(inside, { ...by, action: 'payments.refund', subject, detail });
}

interface Row {
  readonly claim_id: string;
  readonly network: string;
  readonly asset: string;
  readonly payee: string;
  readonly payer: string;
  readonly amount: bigint;
  readonly transactions: readonly string[];
  readonly nonce: bigint | null;
  readonly signed: string | null;
  readonly from_block: bigint | null;
  readonly transaction: string | null;
  readonly block_number: bigint | null;
  readonly block_hash: string | null;
  readonly log_index: bigint | null;
  readonly signed_at: Date;
  readonly finalized_at: Date | null;
}

/** @throws {Error} for a row that this service cannot have written */
function toRefund(row: Row): Refund {
  const { claim_id: claimId, network, asset, payee, payer, amount, nonce, signed, from_block: fromBlock } = row;
  const [first, ...rest] = row.transactions.filter(isBytes32);
  if (!isHexAddress(asset) || !isHexAddress(payee) || !isHexAddress(payer) || first === undefined) {
    throw new Error(`the refund of claim ${claimId} is malformed`);
  }
  const isSigned = nonce !== null && fromBlock !== null && signed !== null && isHexText(signed);
  return {
    claimId,
    network,
    asset,
    payee,
    payer,
    amount,
    transactions: [first, ...rest],
    signed: isSigned ? { nonce: Number(nonce), serialized: signed, fromBlock } : undefined,
    signedAt: row.signed_at,
    mined: toMined(row),
    isFinal: row.finalized_at !== null,
  };
}

const isHexText = (text: string): text is Hex => /^0x[0-9a-f]+$/.test(text);

function toMined({ transaction, block_number: number, block_hash: hash, log_index: logIndex }: Row) {
  if (transaction === null || number === null || hash === null || logIndex === null) return undefined;
  if (!isBytes32(transaction) || !isBytes32(hash)) throw new Error('the block of a refund is malformed');
  return { transaction, block: { number, hash }, logIndex };
}

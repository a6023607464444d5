import { type InferResult, type RawBuilder, sql } from 'kysely';
import { getAddress } from 'viem';
import type { Database } from './database.ts';
import { onlyRow } from './rows.ts';

/**
 * State of a retained payment. `open`: without an outcome. `settled`: not final yet. `lost`: settled, and then removed
 * from the chain for good. `refunding`: an operator was told what to transfer back. `released`: ended by an operator without a settlement.
 */
export const PAYMENT_STATES = [
  'open',
  'settled',
  'final',
  'lost',
  'refunding',
  'refunded',
  'failed',
  'released',
] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

/** The order decides: a refunded claim is final too. */
const STATE = sql<PaymentState>`CASE
  WHEN payment_refund.finalized_at IS NOT NULL THEN 'refunded'
  WHEN payment_refund.claim_id IS NOT NULL THEN 'refunding'
  WHEN lost_at IS NOT NULL THEN 'lost'
  WHEN released_at IS NOT NULL THEN 'released'
  WHEN state = 'failed' THEN 'failed'
  WHEN state <> 'settled' THEN 'open'
  WHEN payment_claim.finalized_at IS NOT NULL THEN 'final'
  ELSE 'settled' END`;

/** The answer is kept, and the payment has no outcome. Written as the condition of an index. */
export const IS_OPEN = sql<boolean>`state NOT IN ('settled', 'failed') AND state <> 'executing'`;
/** The settlement is neither final nor lost. Written as the condition of an index. */
export const IS_UNFINAL = sql<boolean>`state = 'settled' AND payment_claim.finalized_at IS NULL AND lost_at IS NULL`;

export interface ClaimFilter {
  readonly state?: PaymentState | undefined;
  /** In any letter case. */
  readonly payer?: string | undefined;
  readonly limit: number;
}

/** The latest claims whose answer is kept, the newest first. */
export async function listPaymentClaims(database: Database, filter: ClaimFilter): Promise<readonly PaymentClaim[]> {
  const { state, payer, limit } = filter;
  const found = await selectClaims(database)
    .$if(state !== undefined, (query) => query.where(STATE, '=', sql.lit(state)))
    .$if(payer !== undefined, (query) => query.where('payment_claim.payer', '=', `${payer}`.toLowerCase()))
    .orderBy('payment_claim.claim_id', 'desc')
    .limit(limit)
    .execute();
  return found.map(withChecksums);
}

export async function findPaymentClaim(database: Database, claimId: string): Promise<PaymentClaim | undefined> {
  const found = await selectClaims(database).where('payment_claim.claim_id', '=', claimId).executeTakeFirst();
  return found && withChecksums(found);
}

/** Addresses are stored in lower case, and shown with their checksums (EIP-55). */
const withChecksums = <Row extends { readonly asset: string; readonly payer: string; readonly payTo: string }>(
  row: Row,
): Row => ({
  ...row,
  asset: getAddress(row.asset),
  payer: getAddress(row.payer),
  payTo: getAddress(row.payTo),
});

export type PaymentClaim = InferResult<ReturnType<typeof selectClaims>>[number];

function selectClaims(database: Database) {
  return database
    .selectFrom('ledger.payment_claim as payment_claim')
    .where('payment_claim.state', '<>', 'executing')
    .leftJoin('payment_refund', 'payment_refund.claim_id', 'payment_claim.claim_id')
    .select([
      'payment_claim.claim_id as claimId',
      STATE.as('state'),
      'payment_claim.network',
      'payment_claim.asset',
      'payment_claim.payer',
      // Whom it paid, or would pay.
      'payment_claim.pay_to as payTo',
      'payment_claim.nonce',
      // Atomic units of the asset.
      'payment_claim.amount',
      'payment_claim.valid_before_s as validBeforeS',
      'payment_claim.created_at as createdAt',
      'payment_claim.transaction',
      'payment_claim.block_number as blockNumber',
      'payment_claim.finalized_at as finalizedAt',
      'payment_claim.lost_at as lostAt',
      'payment_claim.lost_reason as lostReason',
      'payment_claim.released_at as releasedAt',
      // Whether a failed payment is proven to be impossible.
      'payment_claim.is_final as isFinal',
      // JSON text of an x402 `SettleResponse`: the answer that the caller got.
      'payment_claim.payment_response as paymentResponse',
      'payment_refund.opened_at as refundOpenedAt',
      'payment_refund.transaction as refundTransaction',
      'payment_refund.finalized_at as refundFinalizedAt',
    ]);
}

export interface PaymentCounts {
  readonly open: number;
  readonly settled: number;
  readonly lost: number;
}

/** How many payments of a network are in a state that an operator watches. Reads three small indexes. */
export async function countPayments(database: Database, network: string): Promise<PaymentCounts> {
  const count = (condition: RawBuilder<unknown>) =>
    sql`(SELECT count(*)::integer FROM ledger.payment_claim AS payment_claim WHERE network = ${network} AND ${condition})`;
  const { rows } = await sql<PaymentCounts>`
    SELECT ${count(IS_OPEN)} AS open, ${count(sql`lost_at IS NOT NULL`)} AS lost,
      ${count(IS_UNFINAL)} AS settled`.execute(database);
  return onlyRow(rows);
}

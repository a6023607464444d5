import { type RawBuilder, sql } from 'kysely';
import type { Database } from './database.ts';
import { onlyRow } from './rows.ts';

/**
 * State of a retained payment. `open`: without an outcome. `settled`: not final yet. `lost`: settled, and then removed
 * from the chain for good. `released`: ended by an operator without a settlement.
 */
export const PAYMENT_STATES = ['open', 'settled', 'final', 'lost', 'refunded', 'failed', 'released'] as const;
export type PaymentState = (typeof PAYMENT_STATES)[number];

export interface PaymentClaim {
  readonly claimId: string;
  readonly state: PaymentState;
  readonly network: string;
  readonly asset: string;
  readonly payer: string;
  readonly nonce: string;
  /** Atomic units of the asset. */
  readonly amount: bigint;
  /** Unix seconds. */
  readonly validBeforeS: bigint;
  readonly createdAt: Date;
  readonly transaction: string | null;
  readonly blockNumber: bigint | null;
  readonly finalizedAt: Date | null;
  readonly lostAt: Date | null;
  readonly lostReason: string | null;
  readonly releasedAt: Date | null;
  /** Whether a failed payment is proven to be impossible. */
  readonly isFinal: boolean | null;
  /** JSON text of an x402 `SettleResponse`: the answer that the caller got. */
  readonly paymentResponse: string | null;
  readonly refundTransaction: string | null;
  readonly refundFinalizedAt: Date | null;
}

/** The order decides: a refunded claim is final too. */
const STATE = sql<PaymentState>`CASE
  WHEN payment_refund.claim_id IS NOT NULL THEN 'refunded'
  WHEN lost_at IS NOT NULL THEN 'lost'
  WHEN released_at IS NOT NULL THEN 'released'
  WHEN outcome = 'failed' THEN 'failed'
  WHEN outcome IS NULL THEN 'open'
  WHEN payment_claim.finalized_at IS NOT NULL THEN 'final'
  ELSE 'settled' END`;

export interface ClaimFilter {
  readonly state?: PaymentState | undefined;
  /** In any letter case. */
  readonly payer?: string | undefined;
  readonly limit: number;
}

/** The latest claims whose result is retained, the newest first. */
export async function listPaymentClaims(database: Database, filter: ClaimFilter): Promise<readonly PaymentClaim[]> {
  const { state, payer, limit } = filter;
  return selectClaims(database)
    .$if(state !== undefined, (query) => query.where(STATE, '=', sql.lit(state)))
    .$if(payer !== undefined, (query) => query.where(sql`lower(payment_claim.payer)`, '=', payer?.toLowerCase()))
    .orderBy('payment_claim.claim_id', 'desc')
    .limit(limit)
    .execute();
}

export async function findPaymentClaim(database: Database, claimId: string): Promise<PaymentClaim | undefined> {
  return selectClaims(database).where('payment_claim.claim_id', '=', claimId).executeTakeFirst();
}

function selectClaims(database: Database) {
  return database
    .selectFrom('payment_claim')
    .leftJoin('payment_refund', 'payment_refund.claim_id', 'payment_claim.claim_id')
    .select([
      'payment_claim.claim_id as claimId',
      STATE.as('state'),
      'payment_claim.network',
      'payment_claim.asset',
      'payment_claim.payer',
      'payment_claim.nonce',
      'payment_claim.amount',
      'payment_claim.valid_before_s as validBeforeS',
      'payment_claim.created_at as createdAt',
      'payment_claim.transaction',
      'payment_claim.block_number as blockNumber',
      'payment_claim.finalized_at as finalizedAt',
      'payment_claim.lost_at as lostAt',
      'payment_claim.lost_reason as lostReason',
      'payment_claim.released_at as releasedAt',
      'payment_claim.is_final as isFinal',
      'payment_claim.payment_response as paymentResponse',
      sql<
        string | null
      >`coalesce(payment_refund.transaction, payment_refund.transactions[cardinality(payment_refund.transactions)])`.as(
        'refundTransaction',
      ),
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
    sql`(SELECT count(*)::integer FROM payment_claim WHERE network = ${network} AND ${condition})`;
  const { rows } = await sql<PaymentCounts>`
    SELECT ${count(sql`outcome IS NULL`)} AS open, ${count(sql`lost_at IS NOT NULL`)} AS lost,
      ${count(sql`outcome = 'settled' AND finalized_at IS NULL AND lost_at IS NULL`)} AS settled`.execute(database);
  return onlyRow(rows);
}

import { sql } from 'kysely';
import { type ChannelFigures, readChannelFigures } from './channel-figures.ts';
import type { Database } from './database.ts';
import { readSchemeEarnings, type SchemeEarnings } from './earnings.ts';
import { countPayments, type PaymentCounts } from './payment-claims.ts';
import { onlyRow } from './rows.ts';

/** What an operator watches of settlements. */
export interface SettlementFigures extends PaymentCounts {
  /** Payments whose settlement failed. */
  readonly failed: number;
  readonly channels: ChannelFigures;
  /** What the contract says was claimed of known channels. */
  readonly claimedMicroUsd: bigint;
  /** Deposits, claims and refunds that were sent and are not final. */
  readonly openTransactions: number;
  readonly refusedTransactions: number;
  readonly earnings: SchemeEarnings[];
}

/** More rows are not counted. */
const MOST_COUNTED = 10_001;

const counted = (rows: ReturnType<typeof sql>) =>
  sql`(SELECT count(*)::integer FROM (SELECT 1 FROM ${rows} LIMIT ${MOST_COUNTED}) AS found)`;

export async function readSettlementFigures(database: Database, network: string): Promise<SettlementFigures> {
  const [payments, channels, earnings, { rows }] = await Promise.all([
    countPayments(database, network),
    readChannelFigures(database, network),
    readSchemeEarnings(database, network),
    sql<Omit<SettlementFigures, keyof PaymentCounts | 'channels' | 'earnings'>>`
      SELECT
        ${counted(sql`ledger.payment_claim WHERE state = 'failed' AND network = ${network}`)} AS failed,
        ${counted(sql`channel_transaction WHERE state = 'open' AND network = ${network}`)} AS "openTransactions",
        ${counted(sql`channel_transaction WHERE state = 'refused' AND network = ${network}`)} AS "refusedTransactions",
        (SELECT coalesce(sum(total_claimed), 0)::bigint FROM channel WHERE network = ${network}) AS "claimedMicroUsd"`.execute(
      database,
    ),
  ]);
  return { ...payments, channels, earnings: [...earnings], ...onlyRow(rows) };
}

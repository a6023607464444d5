import { sql } from 'kysely';
import type { SettlementFigures } from '../../proto/gen/tollhouse/payments/v1/operator.ts';
import { readChannelFigures } from './channel-figures.ts';
import type { Database } from './database.ts';
import { readSchemeEarnings } from './earnings.ts';
import { countPayments } from './payment-claims.ts';
import { onlyRow } from './rows.ts';

/** More rows are not counted. */
const MOST_COUNTED = 10_001;

const counted = (rows: ReturnType<typeof sql>) =>
  sql`(SELECT count(*)::integer FROM (SELECT 1 FROM ${rows} LIMIT ${MOST_COUNTED}) AS found)`;

export async function readSettlementFigures(database: Database, network: string): Promise<SettlementFigures> {
  const [payments, channels, earnings, { rows }] = await Promise.all([
    countPayments(database, network),
    readChannelFigures(database, network),
    readSchemeEarnings(database, network),
    sql<Pick<SettlementFigures, 'failed' | 'openTransactions' | 'refusedTransactions' | 'claimedMicroUsd'>>`
      SELECT
        ${counted(sql`ledger.payment_claim WHERE state = 'failed' AND network = ${network}`)} AS failed,
        ${counted(sql`channel_transaction WHERE state = 'open' AND network = ${network}`)} AS "openTransactions",
        ${counted(sql`channel_transaction WHERE state = 'refused' AND network = ${network}`)} AS "refusedTransactions",
        (SELECT coalesce(sum(total_claimed), 0)::bigint FROM channel WHERE network = ${network}) AS "claimedMicroUsd"`.execute(
      database,
    ),
  ]);
  return { ...payments, channels, earnings, ...onlyRow(rows) };
}

import { sql } from 'kysely';
import type { ChannelFigures } from '../../proto/gen/tollhouse/payments/v1/payments.ts';
import type { Database } from './database.ts';
import { onlyRow } from './rows.ts';

/** SQL: whether a withdrawal that was started would take some of what a channel was charged. */
export const IS_ENDANGERED = sql`(shown.withdraw_amount IS NOT NULL
  AND account.charged > shown.balance - shown.withdraw_amount)`;

/** SQL of what can be claimed of a channel in all. The latest voucher stays private until a withdrawal would take a charge. */
const CLAIMABLE = sql`CASE WHEN ${IS_ENDANGERED} THEN account.charged ELSE account.claimable END`;

/** The channels of which something can be claimed. */
export async function countUnclaimed(database: Database, network: string): Promise<number> {
  const { rows } = await sql<{ channels: number }>`
    SELECT count(*)::integer AS channels FROM ledger.channel account JOIN channel shown
      ON shown.network = account.network AND shown.channel_id = account.id COLLATE "default"
    WHERE account.network = ${network} AND ${CLAIMABLE} > shown.total_claimed`.execute(database);
  return onlyRow(rows).channels;
}

export async function readChannelFigures(database: Database, network: string): Promise<ChannelFigures> {
  const { rows } = await sql<Omit<ChannelFigures, 'watchedSecondsAgo'> & { watchedSecondsAgo: number | null }>`
    WITH known AS (
      SELECT balance, total_claimed, withdraw_amount, greatest(${CLAIMABLE} - total_claimed, 0) AS claimable,
        CASE WHEN ${CLAIMABLE} > total_claimed
          THEN coalesce(account.unclaimed_since, to_timestamp(withdraw_requested_at_s)) END AS since,
        account.charged > balance AND block_number IS NOT NULL AS is_short
      FROM channel shown LEFT JOIN ledger.channel account
        ON account.network = shown.network AND account.id = shown.channel_id COLLATE "C"
      WHERE shown.network = ${network}
    )
    SELECT
      (count(*) FILTER (WHERE withdraw_amount IS NULL AND balance > total_claimed))::integer AS open,
      (count(*) FILTER (WHERE withdraw_amount IS NOT NULL))::integer AS withdrawing,
      (count(*) FILTER (WHERE withdraw_amount IS NULL AND balance <= total_claimed))::integer AS empty,
      (count(*) FILTER (WHERE is_short))::integer AS short,
      coalesce(sum(claimable), 0)::bigint AS "claimableMicroUsd",
      coalesce(extract(epoch FROM clock_timestamp() - min(since)), 0)::integer AS "oldestClaimableSeconds",
      (SELECT extract(epoch FROM clock_timestamp() - watched_at)::integer FROM channel_watch
        WHERE network = ${network}) AS "watchedSecondsAgo"
    FROM known`.execute(database);
  const { watchedSecondsAgo, ...figures } = onlyRow(rows);
  return { ...figures, watchedSecondsAgo: watchedSecondsAgo ?? undefined };
}

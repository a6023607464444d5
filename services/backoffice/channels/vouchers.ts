import { sql } from 'kysely';
import type { ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';

/** The highest voucher of a channel. */
export interface StoredVoucher {
  readonly channelId: string;
  readonly cumulativeMicroUsd: bigint;
  /** 65 bytes. */
  readonly signature: Buffer;
}

export interface ClaimLimits {
  readonly afterSeconds: number;
  readonly aboveMicroUsd: bigint;
}

/** The vouchers of channels in PostgreSQL. */
export interface Vouchers {
  /** The channels to claim, those with a withdrawal first, and when they were read. */
  due(limits: ClaimLimits): Promise<{ readonly at: Date; readonly vouchers: readonly StoredVoucher[] }>;
  /** The vouchers of these channels; absent for channels without one. */
  find(channelIds: readonly string[]): Promise<readonly StoredVoucher[]>;
  /** Lets channels of which nothing more can be claimed now be due again only after a time. */
  postpone(channelIds: readonly string[], since: Date): Promise<void>;
  /** Stores what the contract shows. What was not claimed is at most as old as `since`, if some was claimed since then. */
  noteClaimed(channels: readonly ContractChannel[], since: Date): Promise<void>;
}

/** Channels that one run claims. */
const MOST_DUE = 10_000;

export function createVouchers(database: Database): Vouchers {
  const columns = sql`voucher.channel_id AS "channelId", cumulative_micro_usd AS "cumulativeMicroUsd", signature`;
  return {
    async due({ afterSeconds, aboveMicroUsd }) {
      const { at } = onlyRow((await sql<{ at: Date }>`SELECT clock_timestamp() AS at`.execute(database)).rows);
      const { rows } = await sql<StoredVoucher>`
        SELECT ${columns} FROM channel_voucher voucher LEFT JOIN channel USING (channel_id)
        WHERE unclaimed_since IS NOT NULL AND cumulative_micro_usd > claimed_micro_usd AND (channel.withdraw_amount IS NOT NULL
          OR unclaimed_since <= ${at}::timestamptz - make_interval(secs => ${afterSeconds})
          OR cumulative_micro_usd - claimed_micro_usd >= ${aboveMicroUsd})
        ORDER BY channel.withdraw_amount IS NULL, unclaimed_since, channel_id LIMIT ${MOST_DUE}`.execute(database);
      return { at, vouchers: rows };
    },
    async find(channelIds) {
      const { rows } = await sql<StoredVoucher>`
        SELECT ${columns} FROM channel_voucher voucher WHERE channel_id = ANY(${[...channelIds]}::text[])`.execute(
        database,
      );
      return rows;
    },
    async postpone(channelIds, since) {
      await sql`
        UPDATE channel_voucher SET unclaimed_since = greatest(unclaimed_since, ${since}::timestamptz)
        WHERE channel_id = ANY(${[...channelIds]}::text[]) AND unclaimed_since IS NOT NULL`.execute(database);
    },
    async noteClaimed(channels, since) {
      const ids = channels.map(({ channelId }) => channelId);
      const totals = channels.map(({ totalClaimed }) => totalClaimed);
      await sql`
        UPDATE channel_voucher voucher SET claimed_micro_usd = seen.claimed,
          unclaimed_since = CASE WHEN cumulative_micro_usd > seen.claimed
            THEN greatest(unclaimed_since, ${since}::timestamptz) END
        FROM unnest(${ids}::text[], ${totals}::bigint[]) AS seen (id, claimed)
        WHERE channel_id = seen.id AND claimed_micro_usd < seen.claimed`.execute(database);
    },
  };
}

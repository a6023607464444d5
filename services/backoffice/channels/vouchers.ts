import { type RawBuilder, sql } from 'kysely';
import { IS_ENDANGERED } from '../../store/channel-figures.ts';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';

/** A voucher of a channel, and what to claim with it. */
export interface StoredVoucher {
  readonly channelId: string;
  /** What is claimed in all. */
  readonly totalMicroUsd: bigint;
  /** What the voucher allows. */
  readonly signedMicroUsd: bigint;
  /** What the contract showed last. */
  readonly claimedMicroUsd: bigint;
  /** The signature. */
  readonly sealed: Buffer;
  /** Id of the key that sealed it. */
  readonly keyId: string;
}

export interface ClaimLimits {
  readonly afterSeconds: number;
  readonly aboveMicroUsd: bigint;
}

/** Channels that one run claims. */
const MOST_DUE = 10_000;

export type Vouchers = ReturnType<typeof createVouchers>;

/**
 * The vouchers of channels. Of each, the voucher before the latest is claimed: a claim is public, and the latest voucher
 * shows who asks for a refund. While a withdrawal that was started would take some of what was charged, the latest one is
 * claimed, at once. A withdrawal of anything else changes nothing: calls are charged only to what it leaves.
 * @param options `network` is in CAIP-2
 */
export function createVouchers({ database, network }: { readonly database: Database; readonly network: string }) {
  // The ids are compared in both collations, so that either table can be found by its key.
  const claimable = (where: RawBuilder<unknown>) => sql`
    SELECT account.id AS "channelId", voucher.total::bigint AS "totalMicroUsd", voucher.signed::bigint AS "signedMicroUsd",
      shown.total_claimed AS "claimedMicroUsd", voucher.sealed, voucher.key_id AS "keyId", account.unclaimed_since,
      ${IS_ENDANGERED} AS is_endangered
    FROM ledger.channel account JOIN channel shown
      ON shown.network = account.network AND shown.channel_id = account.id COLLATE "default"
        AND shown.channel_id COLLATE "C" = account.id
      CROSS JOIN LATERAL (
        SELECT account.claimable, account.claimable, account.claimable_signature, account.claimable_key_id
        WHERE NOT ${IS_ENDANGERED}
        UNION ALL SELECT account.charged, account.signed, account.signature, account.key_id
        WHERE ${IS_ENDANGERED}
      ) voucher (total, signed, sealed, key_id)
    WHERE account.network = ${network} AND voucher.total > shown.total_claimed AND ${where}`;

  /**
   * Locks the channels in the order of all that lock several. It is a part of the statement that changes them: a process
   * that stops between two statements would keep the locks, and calls could not be charged.
   */
  const locked = (ids: readonly string[]) => sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM ledger.channel WHERE network = ${network} AND id = ANY(${[...ids]}::text[]) ORDER BY id FOR UPDATE
    )`;

  return {
    /** The channels to claim, those that a withdrawal endangers first, and when they were read. */
    async due({ afterSeconds, aboveMicroUsd }: ClaimLimits) {
      const { at } = onlyRow((await sql<{ at: Date }>`SELECT ledger.clock() AS at`.execute(database)).rows);
      const { rows } = await sql<StoredVoucher>`
        ${claimable(IS_ENDANGERED)} UNION ALL
        ${claimable(sql`NOT ${IS_ENDANGERED} AND account.unclaimed_since IS NOT NULL
          AND (account.unclaimed_since <= ${at}::timestamptz - make_interval(secs => ${afterSeconds})
            OR account.claimable - shown.total_claimed >= ${aboveMicroUsd})`)}
        ORDER BY is_endangered DESC, unclaimed_since, "channelId" LIMIT ${MOST_DUE}`.execute(database);
      return { at, vouchers: rows };
    },
    /** What can be claimed of these channels. */
    async find(channelIds: readonly string[]) {
      const { rows } = await sql<StoredVoucher>`
        ${claimable(sql`account.id = ANY(${[...channelIds]}::text[])`)}`.execute(database);
      return rows;
    },
    /** Lets channels of which nothing more can be claimed now be due again only after a time. */
    async postpone(channelIds: readonly string[], since: Date) {
      await sql`${locked(channelIds)}
        UPDATE ledger.channel account SET unclaimed_since = greatest(account.unclaimed_since, ${since}::timestamptz)
        FROM locked WHERE account.network = ${network} AND account.id = locked.id
          AND account.unclaimed_since IS NOT NULL`.execute(database);
    },
    /** Notes that more was claimed, as the contract showed. What was not claimed is at most as old as `since`. */
    async noteClaimed(channelIds: readonly string[], since: Date) {
      await sql`${locked(channelIds)}
        UPDATE ledger.channel account SET unclaimed_since = CASE WHEN account.claimable > shown.total_claimed
          THEN greatest(account.unclaimed_since, ${since}::timestamptz) END
        FROM locked JOIN channel shown ON shown.channel_id = locked.id COLLATE "default"
        WHERE account.network = ${network} AND account.id = locked.id AND account.unclaimed_since IS NOT NULL
          AND shown.network = account.network`.execute(database);
    },
  };
}

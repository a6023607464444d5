import { sql } from 'kysely';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';

/** What a channel was charged, with its latest voucher. */
export interface StoredVoucher {
  readonly channelId: string;
  readonly chargedMicroUsd: bigint;
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

/**
 * The vouchers of channels. A voucher for more than was charged settled its channel, and its call was voided. It is not
 * claimed, because it must not be public before it is used, unless the payer has started a withdrawal.
 */
export interface Vouchers {
  /** The channels to claim, those with a withdrawal first, and when they were read. */
  due(limits: ClaimLimits): Promise<{ readonly at: Date; readonly vouchers: readonly StoredVoucher[] }>;
  /** What can be claimed of these channels. */
  find(channelIds: readonly string[]): Promise<readonly StoredVoucher[]>;
  /** Lets channels of which nothing more can be claimed now be due again only after a time. */
  postpone(channelIds: readonly string[], since: Date): Promise<void>;
  /** Notes that more was claimed, as the contract showed. What was not claimed is at most as old as `since`. */
  noteClaimed(channelIds: readonly string[], since: Date): Promise<void>;
}

/** Channels that one run claims. */
const MOST_DUE = 10_000;

/** @param network CAIP-2 */
export function createVouchers({
  database,
  network,
}: {
  readonly database: Database;
  readonly network: string;
}): Vouchers {
  const claimable = sql`
    SELECT account.id AS "channelId", account.charged::bigint AS "chargedMicroUsd", account.signed::bigint AS "signedMicroUsd",
      shown.total_claimed AS "claimedMicroUsd", account.signature AS sealed, account.key_id AS "keyId"
    FROM ledger.channel account JOIN channel shown
      ON shown.network = account.network AND shown.channel_id = account.id COLLATE "default"
    WHERE account.network = ${network} AND account.charged > shown.total_claimed
      AND (account.signed = account.charged OR shown.withdraw_amount IS NOT NULL)`;

  /**
   * Locks the channels in the order of all that lock several. It is a part of the statement that changes them: a process
   * that stops between two statements would keep the locks, and calls could not be charged.
   */
  const locked = (ids: readonly string[]) => sql`
    WITH locked AS MATERIALIZED (
      SELECT id FROM ledger.channel WHERE network = ${network} AND id = ANY(${[...ids]}::text[]) ORDER BY id FOR UPDATE
    )`;

  return {
    async due({ afterSeconds, aboveMicroUsd }) {
      const { at } = onlyRow((await sql<{ at: Date }>`SELECT ledger.clock() AS at`.execute(database)).rows);
      const { rows } = await sql<StoredVoucher>`
        ${claimable} AND account.unclaimed_since IS NOT NULL AND (shown.withdraw_amount IS NOT NULL
          OR account.unclaimed_since <= ${at}::timestamptz - make_interval(secs => ${afterSeconds})
          OR account.charged - shown.total_claimed >= ${aboveMicroUsd})
        ORDER BY shown.withdraw_amount IS NULL, account.unclaimed_since, account.id LIMIT ${MOST_DUE}`.execute(
        database,
      );
      return { at, vouchers: rows };
    },
    async find(channelIds) {
      const { rows } = await sql<StoredVoucher>`
        ${claimable} AND account.id = ANY(${[...channelIds]}::text[])`.execute(database);
      return rows;
    },
    async postpone(channelIds, since) {
      await sql`${locked(channelIds)}
        UPDATE ledger.channel account SET unclaimed_since = greatest(account.unclaimed_since, ${since}::timestamptz)
        FROM locked WHERE account.network = ${network} AND account.id = locked.id
          AND account.unclaimed_since IS NOT NULL`.execute(database);
    },
    async noteClaimed(channelIds, since) {
      await sql`${locked(channelIds)}
        UPDATE ledger.channel account SET unclaimed_since = CASE WHEN account.charged > shown.total_claimed
          THEN greatest(account.unclaimed_since, ${since}::timestamptz) END
        FROM locked JOIN channel shown ON shown.channel_id = locked.id COLLATE "default"
        WHERE account.network = ${network} AND account.id = locked.id AND account.unclaimed_since IS NOT NULL
          AND shown.network = account.network`.execute(database);
    },
  };
}

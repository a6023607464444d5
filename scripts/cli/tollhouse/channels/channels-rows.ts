import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { CommandError } from '../terminal/command.ts';

/** A channel with its highest voucher. Amounts are micro-USD. */
export interface ChannelRow {
  readonly channelId: string;
  readonly network: string;
  readonly payer: string;
  /** What the contract showed last. */
  readonly balance: bigint;
  readonly totalClaimed: bigint;
  /** Of a withdrawal that was started, and when the payer may end it. */
  readonly withdrawAmount: bigint | null;
  readonly withdrawableAt: Date | null;
  readonly blockNumber: bigint | null;
  readonly readAt: Date | null;
  /** The highest voucher; null without one. */
  readonly voucher: bigint | null;
  readonly unclaimed: bigint;
  readonly unclaimedSince: Date | null;
}

const CHANNELS = sql`
  SELECT channel_id AS "channelId", network, payer, balance, total_claimed AS "totalClaimed",
    withdraw_amount AS "withdrawAmount", to_timestamp(withdraw_requested_at_s + withdraw_delay_s) AS "withdrawableAt",
    block_number AS "blockNumber", read_at AS "readAt", cumulative_micro_usd AS voucher,
    greatest(coalesce(cumulative_micro_usd - claimed_micro_usd, 0), 0) AS unclaimed,
    CASE WHEN cumulative_micro_usd > claimed_micro_usd THEN unclaimed_since END AS "unclaimedSince"
  FROM channel LEFT JOIN channel_voucher USING (channel_id)`;

/** The channels with the most that is not claimed first. */
export async function selectChannels(database: Database, limit: number): Promise<readonly ChannelRow[]> {
  const { rows } = await sql<ChannelRow>`${CHANNELS} ORDER BY unclaimed DESC, channel_id LIMIT ${limit}`.execute(
    database,
  );
  return rows;
}

/** @throws {CommandError} if the channel is not known */
export async function findChannel(database: Database, channelId: string): Promise<ChannelRow> {
  const { rows } = await sql<ChannelRow>`${CHANNELS} WHERE channel_id = ${channelId}`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new CommandError(`channel ${channelId} is not known`);
  return row;
}

const CHANNEL_ID = /^0x[0-9a-f]{64}$/;

/** @throws {CommandError} if the text is not the id of a channel */
export function readChannelId(text: string): string {
  const id = text.toLowerCase();
  if (!CHANNEL_ID.test(id)) throw new CommandError('CHANNEL_ID is 0x and 64 hexadecimal digits: see channels list', 2);
  return id;
}

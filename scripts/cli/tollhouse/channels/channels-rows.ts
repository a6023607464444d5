import { sql } from 'kysely';
import type { Database } from '../../../../services/store/database.ts';
import { CommandError } from '../../terminal/command.ts';

/** A channel with its account. Amounts are micro-USD. */
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
  /** What the latest voucher allows; null without one. */
  readonly voucher: bigint | null;
  readonly charged: bigint;
  /** Of a call or a refund that is in progress. */
  readonly reserved: bigint;
  readonly unclaimed: bigint;
  /** What of it can be claimed: not the latest call, unless a withdrawal was started. */
  readonly claimable: bigint;
  readonly claimableSince: Date | null;
}

const CHANNELS = sql`
  SELECT channel_id AS "channelId", c.network, payer, balance, total_claimed AS "totalClaimed",
    withdraw_amount AS "withdrawAmount", to_timestamp(withdraw_requested_at_s + withdraw_delay_s) AS "withdrawableAt",
    block_number AS "blockNumber", read_at AS "readAt", nullif(k.signed, 0) AS voucher, coalesce(charged, 0) AS charged,
    coalesce(r.amount, 0) AS reserved,
    greatest(coalesce(charged, 0) - total_claimed, 0) AS unclaimed,
    greatest(coalesce(CASE WHEN withdraw_amount IS NULL THEN claimable ELSE charged END, 0) - total_claimed, 0) AS claimable,
    CASE WHEN claimable > total_claimed THEN unclaimed_since END AS "claimableSince"
  FROM channel c LEFT JOIN ledger.channel k ON k.network = c.network AND k.id = c.channel_id
    LEFT JOIN ledger.reservation r ON r.network = c.network AND r.account = c.channel_id AND r.kind <> 'trial'`;

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

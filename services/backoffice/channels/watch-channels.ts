import { sql } from 'kysely';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import type { Database } from '../../store/database.ts';
import type { Vouchers } from './vouchers.ts';

export interface WatchOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly vouchers: Pick<Vouchers, 'noteClaimed'>;
  readonly channels: Pick<ChannelsClient, 'watch'>;
}

const WATCH_TIMEOUT_MS = 30_000;

/**
 * Has the payments service store what changed in the contract, and notes what was claimed. Continues where the last run
 * ended.
 */
export function createWatchChannels(options: WatchOptions): (signal: AbortSignal) => Promise<void> {
  const { channels, vouchers } = options;
  return async (signal) => {
    for (let from = await readNextBlock(options); !signal.aborted; ) {
      const { channels: changed, nextBlock } = await channels.watch(from, { timeoutMs: WATCH_TIMEOUT_MS });
      const ids = changed.map(({ channelId }) => channelId);
      if (ids.length > 0) await vouchers.noteClaimed(ids, new Date(0));
      // Last: a run that is cut off is repeated from the same block.
      await noteNextBlock(options, nextBlock);
      if (nextBlock === from) return;
      from = nextBlock;
    }
  };
}

async function readNextBlock({ database, network }: WatchOptions): Promise<bigint> {
  const row = await database
    .selectFrom('channel_watch')
    .select('next_block')
    .where('network', '=', network)
    .executeTakeFirst();
  // 0: from the first channel on.
  return row === undefined ? 0n : row.next_block;
}

async function noteNextBlock({ database, network }: WatchOptions, nextBlock: bigint): Promise<void> {
  await sql`
    INSERT INTO channel_watch (network, next_block, watched_at) VALUES (${network}, ${nextBlock}, clock_timestamp())
    ON CONFLICT (network) DO UPDATE SET next_block = excluded.next_block, watched_at = excluded.watched_at`.execute(
    database,
  );
}

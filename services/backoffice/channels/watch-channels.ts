import { sql } from 'kysely';
import type { WatchChannelsResponse } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import type { Database } from '../../store/database.ts';
import { onlyRow } from '../../store/rows.ts';
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
 * ended, or from the first channel on.
 */
export function createWatchChannels(options: WatchOptions): (signal: AbortSignal) => Promise<void> {
  const { channels, vouchers } = options;
  return async (signal) => {
    const { nextBlock: first, ...place } = await readPlace(options);
    for (let from = first; !signal.aborted; ) {
      const { channels: changed, ...read } = await channels.watch(from, { timeoutMs: WATCH_TIMEOUT_MS });
      const ids = changed.map(({ channelId }) => channelId);
      if (ids.length > 0) await vouchers.noteClaimed(ids, new Date(0));
      // Last: a run that is cut off is repeated from the same block.
      await notePlace(options, { ...place, ...read });
      if (read.endTimeS === undefined) from = read.nextBlock;
      else return;
    }
  };
}

interface Place {
  /** Of the database. */
  readonly identity: string;
  readonly epoch: number;
  readonly nextBlock: bigint;
}

async function readPlace({ database, network }: WatchOptions): Promise<Place> {
  const { rows } = await sql<Place>`
    SELECT ledger.identity() AS identity, (SELECT max(number) FROM ledger.epoch) AS epoch,
      coalesce((SELECT next_block FROM channel_watch WHERE network = ${network}), 0)::bigint AS "nextBlock"`.execute(
    database,
  );
  return onlyRow(rows);
}

/**
 * A database that was restored meanwhile lacks what was read, so it is read again from the place that it has. The contract
 * counts as read in an epoch once a block is final that is later than its beginning. An earlier one may lack claims that
 * the database has lost.
 */
async function notePlace(
  { database, network }: WatchOptions,
  { identity, epoch, nextBlock, endTimeS }: Place & Pick<WatchChannelsResponse, 'endTimeS'>,
): Promise<void> {
  const watchedAt = endTimeS === undefined ? sql`to_timestamp(0)` : sql`clock_timestamp()`;
  await sql`
    INSERT INTO channel_watch AS known (network, next_block, watched_at, epoch)
      SELECT ${network}, ${nextBlock}, ${watchedAt}, coalesce((SELECT number FROM ledger.epoch
        WHERE number = ${epoch} AND began_at < to_timestamp(${endTimeS ?? 0n}::bigint)), -1)
      WHERE ledger.identity() = ${identity}
    ON CONFLICT (network) DO UPDATE SET next_block = excluded.next_block,
      watched_at = greatest(known.watched_at, excluded.watched_at), epoch = greatest(known.epoch, excluded.epoch)`.execute(
    database,
  );
}

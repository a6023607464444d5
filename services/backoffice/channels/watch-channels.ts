import { sql } from 'kysely';
import type { ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { defined } from '../../../workers/exact/defined.ts';
import type { ChannelLedger } from '../../ledger/contract/channels.ts';
import { fundsOf, hasLostCharges } from '../../payments/contract/channel-funds.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import type { Vouchers } from './vouchers.ts';

export interface WatchOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly vouchers: Pick<Vouchers, 'noteClaimed'>;
  readonly ledger: Pick<ChannelLedger, 'fund' | 'channels'>;
  readonly channels: Pick<ChannelsClient, 'watch'>;
  readonly logger: Logger;
}

const WATCH_TIMEOUT_MS = 30_000;

/** Credits channels with what the contract holds, and notes what was claimed. Continues where the last run ended. */
export function createWatchChannels(options: WatchOptions): (signal: AbortSignal) => Promise<void> {
  const { channels, vouchers } = options;
  return async (signal) => {
    for (let from = await readNextBlock(options); !signal.aborted; ) {
      const { channels: changed, nextBlock } = await channels.watch(from, { timeoutMs: WATCH_TIMEOUT_MS });
      await fund(options, changed);
      await vouchers.noteClaimed(changed, new Date(0));
      // After the credit: a run that is cut off is repeated from the same block.
      await noteNextBlock(options, nextBlock);
      if (nextBlock === from) return;
      from = nextBlock;
    }
  };
}

/** @throws when the ledger does not answer */
async function fund({ ledger, logger }: WatchOptions, changed: readonly ContractChannel[]): Promise<void> {
  const accounts = await ledger.channels(changed.map(({ channelId }) => channelId));
  const funded = changed.map(async (channel, index) => {
    if (!hasLostCharges(channel, defined(accounts[index]))) return ledger.fund(fundsOf(channel));
    const { channelId, totalClaimed } = channel;
    logger.error({ channelId, totalClaimed }, 'the ledger has lost charges of a channel: restore it');
    return undefined;
  });
  await Promise.all(funded);
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

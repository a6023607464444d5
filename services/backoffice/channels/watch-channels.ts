import { sql } from 'kysely';
import type { ContractChannel } from '../../../proto/gen/tollhouse/payments/v1/channels.ts';
import type { ChannelFunds, ChannelLedger } from '../../ledger/contract/channels.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import type { Database } from '../../store/database.ts';
import type { Vouchers } from './vouchers.ts';

export interface WatchOptions {
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly vouchers: Pick<Vouchers, 'noteClaimed'>;
  readonly ledger: Pick<ChannelLedger, 'fund'>;
  readonly channels: Pick<ChannelsClient, 'watch'>;
}

const WATCH_TIMEOUT_MS = 30_000;

/** Credits channels with what the contract holds, and notes what was claimed. Continues where the last run ended. */
export function createWatchChannels(options: WatchOptions): (signal: AbortSignal) => Promise<void> {
  const { channels, vouchers, ledger } = options;
  return async (signal) => {
    for (let from = await readNextBlock(options); !signal.aborted; ) {
      const { channels: changed, nextBlock } = await channels.watch(from, { timeoutMs: WATCH_TIMEOUT_MS });
      await Promise.all(changed.map((channel) => ledger.fund(fundsOf(channel))));
      await vouchers.noteClaimed(changed, new Date(0));
      // After the credit: a run that is cut off is repeated from the same block.
      await noteNextBlock(options, nextBlock);
      if (nextBlock === from) return;
      from = nextBlock;
    }
  };
}

/** Largest amount that the ledger counts exactly. */
const MAX_MICRO_USD = 2n ** 53n - 1n;

/** What the contract holds, without what a withdrawal that was started would take. */
export function fundsOf({ channelId, balance, withdrawAmount, blockNumber }: ContractChannel): ChannelFunds {
  const left = BigInt(balance) - (withdrawAmount === '' ? 0n : BigInt(withdrawAmount));
  const usable = left < 0n ? 0n : left;
  return { channelId, usableMicroUsd: usable < MAX_MICRO_USD ? usable : MAX_MICRO_USD, block: blockNumber };
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

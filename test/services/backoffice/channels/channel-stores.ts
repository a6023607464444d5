import { randomBytes } from 'node:crypto';
import type { ContractChannel } from '../../../../proto/gen/tollhouse/payments/v1/channels.ts';
import { createLogger } from '../../../../services/platform/process/logger.ts';
import { startTestRedis } from '../../../helpers/servers.ts';
import { createTestDatabase } from '../../../helpers/test-database.ts';

export const PRICE = 14_000n;
export const logger = createLogger({ name: 'test', level: 'silent' });
const HOUR_MS = 3_600_000;

export type ChannelStores = Awaited<ReturnType<typeof startChannelStores>>;

/** The servers of the back office's work on channels, without a chain. */
export async function startChannelStores() {
  const [{ database, stop }, redis] = await Promise.all([createTestDatabase(), startTestRedis()]);
  return {
    database,
    redisUrl: redis.url,
    /** Stores vouchers that are an hour old. */
    async storeOld(channelIds: readonly string[], cumulativeMicroUsd: bigint): Promise<void> {
      const rows = channelIds.map((channel_id) => ({
        channel_id,
        cumulative_micro_usd: cumulativeMicroUsd,
        signature: randomBytes(65),
        record_id: crypto.randomUUID(),
        claimed_micro_usd: 0n,
        unclaimed_since: new Date(Date.now() - HOUR_MS),
      }));
      await database.insertInto('channel_voucher').values(rows).execute();
    },
    /** Lets the voucher of a channel be an hour old. */
    async age(channelId: string): Promise<void> {
      await database
        .updateTable('channel_voucher')
        .set({ unclaimed_since: new Date(Date.now() - HOUR_MS) })
        .where('channel_id', '=', channelId)
        .execute();
    },
    async stop(): Promise<void> {
      await Promise.all([stop(), redis.stop()]);
    },
  };
}

/** What the contract shows of a channel. */
export const contractChannel = (channelId: string, changes: Partial<ContractChannel> = {}): ContractChannel => ({
  channelId,
  balance: `${100n * PRICE}`,
  totalClaimed: '0',
  refundNonce: '0',
  withdrawAmount: '',
  withdrawRequestedAtS: 0n,
  blockNumber: 1n,
  ...changes,
});

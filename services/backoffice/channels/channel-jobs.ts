import type { TrialLedger } from '../../ledger/store/trial-ledger.ts';
import type { VoucherCipher } from '../../ledger/store/voucher-cipher.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import { CallError } from '../../platform/grpc/grpc-client.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import type { RecurringJob } from '../../store/recurring/recurring-jobs.ts';
import { createClaimChannels } from './claim-channels.ts';
import { createResolveRefunds } from './resolve-refunds.ts';
import type { ChannelJobSettings } from './settings.ts';
import { createVouchers } from './vouchers.ts';
import { createWatchChannels } from './watch-channels.ts';

export interface ChannelJobsOptions {
  readonly settings: ChannelJobSettings;
  readonly refundIntervalMs: number;
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly ledger: TrialLedger;
  readonly cipher: VoucherCipher;
  readonly channels: ChannelsClient;
  readonly logger: Logger;
}

/** The recurring work on payment channels. */
export function createChannelJobs({
  settings,
  refundIntervalMs,
  ...options
}: ChannelJobsOptions): readonly RecurringJob[] {
  const vouchers = createVouchers(options);
  const limits = {
    afterSeconds: settings.CHANNEL_CLAIM_AFTER_S,
    aboveMicroUsd: BigInt(settings.CHANNEL_CLAIM_ABOVE),
  };
  return [
    {
      name: 'claim-channels',
      everyMs: settings.CHANNEL_CLAIM_INTERVAL_MS,
      run: whereServed(createClaimChannels({ ...options, vouchers, limits })),
    },
    {
      name: 'watch-channels',
      everyMs: settings.CHANNEL_WATCH_INTERVAL_MS,
      run: whereServed(createWatchChannels({ ...options, vouchers })),
    },
    {
      name: 'resolve-channel-refunds',
      everyMs: refundIntervalMs,
      run: whereServed(createResolveRefunds(options)),
    },
  ];
}

/** Does nothing where the payments service has no channels. */
const whereServed = (run: RecurringJob['run']) => (signal: AbortSignal) =>
  run(signal).catch((error: unknown) => {
    if (!(error instanceof CallError && error.code === 'CHANNELS_NOT_OFFERED')) throw error;
  });

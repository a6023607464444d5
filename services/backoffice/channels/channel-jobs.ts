import type { Ledger } from '../../ledger/contract/ledger.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import { CallError } from '../../platform/grpc/grpc-client.ts';
import type { Logger } from '../../platform/process/logger.ts';
import type { Database } from '../../store/database.ts';
import type { RecurringJob } from '../../store/recurring/recurring-jobs.ts';
import type { BackofficeConfig } from '../config.ts';
import { createClaimChannels } from './claim-channels.ts';
import { createResolveRefunds } from './resolve-refunds.ts';
import { createVouchers } from './vouchers.ts';
import { createWatchChannels } from './watch-channels.ts';

export interface ChannelJobsOptions {
  readonly config: BackofficeConfig;
  readonly database: Database;
  /** CAIP-2. */
  readonly network: string;
  readonly ledger: Ledger;
  readonly channels: ChannelsClient;
  readonly logger: Logger;
}

/** The recurring work on payment channels. */
export function createChannelJobs({ config, ...options }: ChannelJobsOptions): readonly RecurringJob[] {
  const vouchers = createVouchers(options.database);
  const limits = {
    afterSeconds: config.CHANNEL_CLAIM_AFTER_S,
    aboveMicroUsd: BigInt(config.CHANNEL_CLAIM_ABOVE),
  };
  return [
    {
      name: 'claim-channels',
      everyMs: config.CHANNEL_CLAIM_INTERVAL_MS,
      run: whereServed(createClaimChannels({ ...options, vouchers, limits })),
    },
    {
      name: 'watch-channels',
      everyMs: config.CHANNEL_WATCH_INTERVAL_MS,
      run: whereServed(createWatchChannels({ ...options, vouchers })),
    },
    {
      name: 'resolve-channel-refunds',
      everyMs: config.SWEEP_INTERVAL_MS,
      run: whereServed(createResolveRefunds(options)),
    },
  ];
}

/** Does nothing where the payments service has no channels. */
const whereServed = (run: RecurringJob['run']) => (signal: AbortSignal) =>
  run(signal).catch((error: unknown) => {
    if (!(error instanceof CallError && error.code === 'CHANNELS_NOT_OFFERED')) throw error;
  });

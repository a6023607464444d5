import type { TrialLedger } from '../../ledger/store/trial-ledger.ts';
import type { ChannelsClient } from '../../payments/contract/channels-client.ts';
import type { Logger } from '../../platform/process/logger.ts';
import { createRepeatedErrorLog } from '../../platform/process/repeated-errors.ts';

export interface ResolveOptions {
  readonly ledger: Pick<TrialLedger, 'overdue' | 'void'>;
  readonly channels: Pick<ChannelsClient, 'resolveRefund'>;
  readonly logger: Logger;
}

const BATCH = 500;
/** A refund that is not mined is waited for. Others must not wait for each of these in turn. */
const AT_THE_SAME_TIME = 20;
/** How long after its deadline a refund is left to its gateway. */
const GRACE_MS = 5000;
const RESOLVE_TIMEOUT_MS = 10_000;

/** Resolves refunds whose gateway is gone. The chain decides whether the amount was returned. */
export function createResolveRefunds(options: ResolveOptions): (signal: AbortSignal) => Promise<void> {
  const { ledger, logger } = options;
  const logError = createRepeatedErrorLog({ logger, message: 'a refund could not be resolved now' });
  return async (signal) => {
    const overdue = await ledger.overdue({ graceMs: GRACE_MS, limit: BATCH, of: 'refunds' });
    for (let from = 0; from < overdue.length && !signal.aborted; from += AT_THE_SAME_TIME) {
      await Promise.all(
        overdue.slice(from, from + AT_THE_SAME_TIME).map(async ({ reservationId }) => {
          await resolve(options, reservationId).catch((error: unknown) =>
            logError(error, { fields: { reservationId } }),
          );
        }),
      );
    }
  };
}

async function resolve({ ledger, channels, logger }: ResolveOptions, refundId: string): Promise<void> {
  const { outcome } = await channels.resolveRefund(refundId, { timeoutMs: RESOLVE_TIMEOUT_MS });
  if (outcome?.$case !== 'refunded' && outcome?.$case !== 'refused') return;
  // The payments service has stored what a refund left in the channel, so its credit is not free twice.
  const { state } = await ledger.void(refundId, 'operation_failed');
  // Another transaction has the hold, so the next run voids it.
  if (state === 'busy') return;
  logger.info({ refundId, outcome: outcome.$case }, 'an open refund was resolved');
}

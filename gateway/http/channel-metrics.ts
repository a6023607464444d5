import { Gauge, type Registry } from 'prom-client';
import type { ChannelFigures } from '../../proto/gen/tollhouse/payments/v1/payments.ts';

export interface ChannelMetrics {
  /** undefined: the payments service is of an earlier release. */
  readonly readChannels: () => Promise<ChannelFigures | undefined>;
}

/** What an operator watches of payment channels. Without an answer, no number is shown: it would be a guess. */
export function registerChannelMetrics(registry: Registry, { readChannels }: ChannelMetrics): void {
  let reading: Promise<ChannelFigures | undefined> | undefined;
  // All gauges are collected in one turn, and share an answer.
  const readOnce = () => {
    reading ??= readChannels()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const gauge = (name: string, help: string, valuesOf: (figures: ChannelFigures) => Readonly<Record<string, number>>) =>
    new Gauge({
      name,
      help,
      labelNames: ['state'],
      // Every process of the gateway reports the same.
      aggregator: 'first',
      registers: [registry],
      async collect() {
        this.reset();
        const figures = await readOnce();
        if (figures === undefined) return;
        for (const [state, value] of Object.entries(valuesOf(figures))) this.set(state === '' ? {} : { state }, value);
      },
    });
  gauge(
    'tollhouse_channels',
    'Payment channels by state: open, withdrawing (a withdrawal was started), empty, short (holds less than was charged)',
    ({ open, withdrawing, empty, short }) => ({ open, withdrawing, empty, short }),
  );
  gauge('tollhouse_channels_claimable_usd', 'What can be claimed of channels', (figures) => ({
    '': Number(figures.claimableMicroUsd) / 1e6,
  }));
  gauge('tollhouse_channels_oldest_claimable_seconds', 'Age of the oldest voucher that can be claimed', (figures) => ({
    '': figures.oldestClaimableSeconds,
  }));
  gauge('tollhouse_channels_watched_seconds', 'Seconds since the contract of channels was read', (figures) =>
    figures.watchedSecondsAgo === undefined ? {} : { '': figures.watchedSecondsAgo },
  );
}

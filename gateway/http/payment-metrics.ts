import { Gauge, type Registry } from 'prom-client';
import type { CountPaymentsResponse } from '../../proto/gen/tollhouse/payments/v1/payments.ts';

export interface PaymentMetrics {
  /** What an operator watches of payments and channels. `channels` is undefined in an earlier release. */
  readonly countPayments: () => Promise<CountPaymentsResponse>;
}

/** A value with its labels. */
type Value = readonly [labels: Readonly<Record<string, string>>, value: number];

const usd = (microUsd: bigint): number => Number(microUsd) / 1e6;

/** What an operator watches of payments and channels. Without an answer, no number is shown: it would be a guess. */
export function registerPaymentMetrics(registry: Registry, { countPayments }: PaymentMetrics): void {
  let reading: Promise<CountPaymentsResponse | undefined> | undefined;
  // All gauges are collected in one turn, and share an answer.
  const readOnce = () => {
    reading ??= countPayments()
      .catch(() => undefined)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const gauge = (
    name: string,
    help: string,
    labelNames: readonly string[],
    valuesOf: (counts: CountPaymentsResponse) => readonly Value[],
  ) =>
    new Gauge({
      name,
      help,
      labelNames,
      // Every process of the gateway reports the same.
      aggregator: 'first',
      registers: [registry],
      async collect() {
        this.reset();
        const counts = await readOnce();
        if (counts === undefined) return;
        for (const [labels, value] of valuesOf(counts)) this.set(labels, value);
      },
    });
  const byState = (counts: Readonly<Record<string, number>>): readonly Value[] =>
    Object.entries(counts).map(([state, value]) => [{ state }, value]);

  gauge(
    'tollhouse_retained_payments',
    'Payments by state: open (no outcome), settled (not final yet), lost (removed from the chain for good)',
    ['state'],
    ({ open, settled, lost }) => byState({ open, settled, lost }),
  );
  gauge(
    'tollhouse_earnings_usd',
    'Earnings by scheme: sold, settled (transferred to the seller), claimable (held for charges of channels), refunded',
    ['scheme', 'of'],
    ({ earnings }) =>
      earnings.flatMap(({ scheme, ...sums }): readonly Value[] => [
        [{ scheme, of: 'sold' }, usd(sums.soldMicroUsd)],
        [{ scheme, of: 'settled' }, usd(sums.settledMicroUsd)],
        [{ scheme, of: 'claimable' }, usd(sums.claimableMicroUsd)],
        [{ scheme, of: 'refunded' }, usd(sums.refundedMicroUsd)],
      ]),
  );
  gauge(
    'tollhouse_gas_eth',
    'What the final transactions of this service cost, by scheme',
    ['scheme'],
    ({ earnings }) => earnings.map(({ scheme, gasWei }) => [{ scheme }, Number(gasWei) / 1e18]),
  );
  gauge(
    'tollhouse_channels',
    'Payment channels by state: open, withdrawing (a withdrawal was started), empty, short (holds less than was charged)',
    ['state'],
    ({ channels }) => {
      if (channels === undefined) return [];
      const { open, withdrawing, empty, short } = channels;
      return byState({ open, withdrawing, empty, short });
    },
  );
  gauge('tollhouse_channels_claimable_usd', 'What can be claimed of channels', [], ({ channels }) =>
    channels === undefined ? [] : [[{}, usd(channels.claimableMicroUsd)]],
  );
  gauge(
    'tollhouse_channels_oldest_claimable_seconds',
    'Age of the oldest voucher that can be claimed',
    [],
    ({ channels }) => (channels === undefined ? [] : [[{}, channels.oldestClaimableSeconds]]),
  );
  gauge('tollhouse_channels_watched_seconds', 'Seconds since the contract of channels was read', [], ({ channels }) =>
    channels?.watchedSecondsAgo === undefined ? [] : [[{}, channels.watchedSecondsAgo]],
  );
}

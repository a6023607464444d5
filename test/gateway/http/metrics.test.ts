import test from 'ava';
import fastify from 'fastify';
import { registerMetrics } from '../../../gateway/http/metrics.ts';
import type { CountPaymentsResponse } from '../../../proto/gen/tollhouse/payments/v1/payments.ts';

const COUNTS: CountPaymentsResponse = { open: 0, settled: 0, lost: 2, channels: undefined, earnings: [] };
const QUIET = {
  readClockSkewMs: () => undefined,
  countPayments: async () => COUNTS,
  countCalls: () => ({ running: 1, waiting: 2, limit: 3 }),
  countRefused: () => 4,
};

test('metrics are rendered at most twice a second', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  let nowMs = 0;
  let rendered = 0;
  const readClockSkewMs = () => {
    rendered += 1;
    return rendered * 1000;
  };
  const { read } = registerMetrics(app, { ...QUIET, readClockSkewMs, monotonicMs: () => nowMs });
  const skews = async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, read));
    return new Set(
      answers.map(({ text }) => /^tollhouse_clock_skew_seconds\{server="postgresql"\} (\d+)$/m.exec(text)?.[1]),
    );
  };
  t.deepEqual(await skews(), new Set(['1']));
  nowMs = 499;
  t.deepEqual(await skews(), new Set(['1']));
  nowMs = 500;
  t.deepEqual(await skews(), new Set(['2']));
  t.is(rendered, 2);
});

test('payments are counted by state, and not at all while the payments service does not answer', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  let nowMs = 0;
  let counts = Promise.resolve(COUNTS);
  const { read } = registerMetrics(app, { ...QUIET, countPayments: () => counts, monotonicMs: () => nowMs });
  const lost = async () => /^tollhouse_retained_payments\{state="lost"\} (\d+)$/m.exec((await read()).text)?.[1];
  t.is(await lost(), '2');
  counts = Promise.reject(new Error('no answer'));
  nowMs = 1000;
  t.is(await lost(), undefined);
});

test('earnings are shown by scheme', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  const earned = { scheme: 'exact', calls: 3n, soldMicroUsd: 3_000_000n, settledMicroUsd: 2_000_000n };
  const rest = { claimableMicroUsd: 0n, refundedMicroUsd: 500_000n, gasWei: '2500000000000000', unknownGas: 0n };
  const counts = { ...COUNTS, earnings: [{ ...earned, ...rest }] };
  const { read } = registerMetrics(app, { ...QUIET, countPayments: async () => counts, monotonicMs: () => 0 });
  const { text } = await read();
  t.deepEqual(
    text.split('\n').filter((line) => /^tollhouse_(?:earnings|gas)/.test(line)),
    [
      'tollhouse_earnings_usd{scheme="exact",of="sold"} 3',
      'tollhouse_earnings_usd{scheme="exact",of="settled"} 2',
      'tollhouse_earnings_usd{scheme="exact",of="claimable"} 0',
      'tollhouse_earnings_usd{scheme="exact",of="refunded"} 0.5',
      'tollhouse_gas_eth{scheme="exact"} 0.0025',
    ],
  );
});

test('channels are counted by state, with what is not claimed and the age of what is known', async (t) => {
  const app = fastify();
  t.teardown(() => app.close());
  const figures = {
    ...{ open: 3, withdrawing: 1, empty: 2, short: 0 },
    ...{ claimableMicroUsd: 1_500_000n, oldestClaimableSeconds: 60, watchedSecondsAgo: 7 },
  };
  const countPayments = async () => ({ ...COUNTS, channels: figures });
  const { read } = registerMetrics(app, { ...QUIET, countPayments, monotonicMs: () => 0 });
  const { text } = await read();
  const lines = text.split('\n').filter((line) => line.startsWith('tollhouse_channels'));
  t.deepEqual(lines, [
    'tollhouse_channels{state="open"} 3',
    'tollhouse_channels{state="withdrawing"} 1',
    'tollhouse_channels{state="empty"} 2',
    'tollhouse_channels{state="short"} 0',
    'tollhouse_channels_claimable_usd 1.5',
    'tollhouse_channels_oldest_claimable_seconds 60',
    'tollhouse_channels_watched_seconds 7',
  ]);
});

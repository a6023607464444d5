import test from 'ava';
import { brokenLimit, findCapacity } from '../../../../scripts/lab/load/measure/capacity.ts';
import type { StepResult } from '../../../../scripts/lab/load/measure/step-result.ts';

const LIMITS = { p99Ms: 100, otherShare: 0.01 };
const NO_LATENCY = { p50: 1, p90: 1, p99: 1, p999: 1, max: 1 };

/** What a server that answers at most `most` calls a second gives. */
function serve(ratePerSecond: number, most: number): StepResult {
  const good = Math.min(ratePerSecond, most);
  return {
    name: `${ratePerSecond}/s`,
    plan: { kind: 'open', ratePerSecond, durationMs: 1000 },
    offeredPerSecond: ratePerSecond,
    goodPerSecond: good,
    offered: ratePerSecond,
    good,
    other: 0,
    latencies: NO_LATENCY,
    otherLatencies: NO_LATENCY,
    codes: {},
    seconds: [],
    processes: {},
    isCutShort: false,
  };
}

for (const [most, from] of [
  [1234, 10],
  [1234, 5000],
  [3, 1],
] as const) {
  test(`the search from ${from} finds a capacity of ${most} calls a second`, async (t) => {
    const tried: number[] = [];
    const { ratePerSecond } = await findCapacity({ from, limits: LIMITS }, async (rate) => {
      tried.push(rate);
      return serve(rate, most);
    });
    // A rate keeps up if 95 percent of it are answered.
    t.true(ratePerSecond >= most / 1.08 && ratePerSecond <= most / 0.95, `${ratePerSecond} after ${tried.join(', ')}`);
    t.true(tried.length <= 16);
  });
}

test('a server that answers nothing has no capacity', async (t) => {
  const { ratePerSecond } = await findCapacity({ from: 100, limits: LIMITS }, async (rate) => serve(rate, 0));
  t.is(ratePerSecond, 0);
});

test('each limit can break', (t) => {
  const step = serve(100, 1000);
  t.is(brokenLimit(step, LIMITS), undefined);
  t.regex(String(brokenLimit({ ...step, other: 2 }, LIMITS)), /2\.0 % had another answer/);
  t.regex(String(brokenLimit({ ...step, latencies: { ...NO_LATENCY, p99: 101 } }, LIMITS)), /p99 is 101 ms/);
  t.regex(String(brokenLimit({ ...step, latencies: { ...NO_LATENCY, p99: Number.NaN } }, LIMITS)), /p99 is NaN/);
  t.regex(String(brokenLimit({ ...step, goodPerSecond: 90 }, LIMITS)), /90 of 100 calls/);
});

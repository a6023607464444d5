import test from 'ava';
import { clockMs, drive } from '../../../../scripts/lab/load/generator/drive.ts';
import type { Second, ThreadPlan } from '../../../../scripts/lab/load/generator/messages.ts';
import { createRecords } from '../../../../scripts/lab/load/generator/records.ts';
import type { Scenario } from '../../../../scripts/lab/load/scenarios/scenario.ts';
import { createStock } from '../../../../scripts/lab/load/scenarios/scenario.ts';
import { defined } from '../../../../workers/exact/defined.ts';

const ALWAYS_READY = { prepare: async () => {}, ready: () => Number.POSITIVE_INFINITY };

async function run(scenario: Scenario, plan: Omit<Extract<ThreadPlan, { kind: 'open' }>, 'startMs'>) {
  const startMs = clockMs();
  const records = createRecords(startMs);
  const isOutOfStock = await drive(scenario, { ...plan, startMs }, records);
  return { isOutOfStock, seconds: records.takeBefore(Number.POSITIVE_INFINITY) };
}

const sum = (seconds: readonly Second[], pick: (second: Second) => number) =>
  seconds.reduce((total, second) => total + pick(second), 0);

test('calls that should have been sent during a pause count from their scheduled time', async (t) => {
  const PAUSE_MS = 300;
  let sent = 0;
  const scenario: Scenario = {
    ...ALWAYS_READY,
    async send() {
      sent += 1;
      if (sent === 20) {
        const endMs = performance.now() + PAUSE_MS;
        while (performance.now() < endMs);
      }
      return { isGood: true, code: '200' };
    },
  };
  const { seconds } = await run(scenario, { kind: 'open', ratePerSecond: 100, durationMs: 800 });
  const latencies = seconds.flatMap(({ good }) => Array.from(good)).toSorted((a, b) => b - a);
  t.is(latencies.length, 80);
  t.is(
    sum(seconds, ({ offered }) => offered),
    80,
  );
  // The pause lasts for 30 calls, which are late by 300, 290, 280 … ms.
  t.true(defined(latencies[0]) >= PAUSE_MS - 10);
  t.true(defined(latencies[14]) >= PAUSE_MS / 2 - 10);
});

test('answers are counted by their code, and broken connections by their error', async (t) => {
  let sent = 0;
  const scenario: Scenario = {
    ...ALWAYS_READY,
    async send() {
      sent += 1;
      if (sent % 3 === 0) throw Object.assign(new Error('gone'), { code: 'ECONNRESET' });
      return sent % 3 === 1 ? { isGood: true, code: '200' } : { isGood: false, code: '503 OVERLOADED' };
    },
  };
  const { seconds } = await run(scenario, { kind: 'open', ratePerSecond: 100, durationMs: 300 });
  const codes = new Map<string, number>();
  for (const second of seconds) {
    for (const [code, count] of Object.entries(second.codes)) codes.set(code, (codes.get(code) ?? 0) + count);
  }
  t.deepEqual(Object.fromEntries(codes), { '200': 10, '503 OVERLOADED': 10, 'broken ECONNRESET': 10 });
  t.is(
    sum(seconds, ({ good }) => good.length),
    10,
  );
  t.is(
    sum(seconds, ({ other }) => other.length),
    20,
  );
});

test('a step ends when the prepared calls run out', async (t) => {
  const stock = createStock(async (index) => index);
  await stock.prepare(5);
  const scenario: Scenario = {
    ready: stock.ready,
    prepare: async () => {},
    send: async () => ({ isGood: true, code: String(stock.take()) }),
  };
  const { isOutOfStock, seconds } = await run(scenario, { kind: 'open', ratePerSecond: 100, durationMs: 1000 });
  t.true(isOutOfStock);
  t.deepEqual(Object.keys(Object.assign({}, ...seconds.map(({ codes }) => codes))), ['0', '1', '2', '3', '4']);
});

test('a closed plan keeps as many calls in flight as it says', async (t) => {
  let inFlight = 0;
  let most = 0;
  const scenario: Scenario = {
    ...ALWAYS_READY,
    async send() {
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 5));
      inFlight -= 1;
      return { isGood: true, code: '200' };
    },
  };
  const startMs = clockMs();
  await drive(scenario, { kind: 'closed', inFlight: 7, startMs, durationMs: 2000 }, createRecords(startMs));
  t.is(most, 7);
  t.is(inFlight, 0);
});

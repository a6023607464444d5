import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { Pool } from 'undici';
import { connectTrialCalls } from '../../../../scripts/lab/bench/measure/trial-calls.ts';
import { startGenerator } from '../../../../scripts/lab/load/generator/generator.ts';
import { readUsage } from '../../../../scripts/lab/load/measure/processes.ts';
import { runStep } from '../../../../scripts/lab/load/measure/run-step.ts';
import type { StepResult } from '../../../../scripts/lab/load/measure/step-result.ts';
import { readOptions } from '../../../../scripts/lab/load/options.ts';
import { compareResults } from '../../../../scripts/lab/load/report/compare.ts';
import { toHtml } from '../../../../scripts/lab/load/report/html.ts';
import { type LoadResult, readEarlier } from '../../../../scripts/lab/load/report/result.ts';
import { createChannel } from '../../../../scripts/lab/load/scenarios/channel.ts';
import { SCENARIO_NAMES } from '../../../../scripts/lab/load/scenarios/index.ts';
import { ensureSandboxKeys } from '../../../../scripts/launch/sandbox-keys.ts';
import { useSharedStack } from '../../../kit/shared-stack.ts';

const stack = await useSharedStack();
test.after.always(() => stack.stop());

async function runMix(): Promise<StepResult> {
  const { page, mix } = readOptions([SCENARIO_NAMES.join(','), '--rate', '1']);
  const keys = await ensureSandboxKeys(stack.databaseUrl, stack.dataDir);
  const generator = startGenerator(1, {
    origin: stack.urls[0],
    mix,
    keys,
    page,
    seed: 1,
    connections: 32,
    channels: 4,
  });
  try {
    const plan = { kind: 'open', ratePerSecond: 20, durationMs: 3000 } as const;
    const options = {
      generator,
      readUsage: () => readUsage(process.pid),
      onSecond: () => {},
      expectedPerSecond: undefined,
    };
    return await runStep('20/s', plan, options);
  } finally {
    await generator.close();
  }
}

test('the benchmark of calls runs trials, and the same conversions through a bare route', async (t) => {
  const contentTarget = `unix:${stack.runDir}/content.sock`;
  const calls = await connectTrialCalls({ origin: stack.urls[0], contentTarget, inFlight: 2 });
  t.teardown(calls.stop);
  for (const contender of [calls.gateway, calls.bareRoute]) {
    const { perSecond, p50Ms, cpuMsByProcess = {} } = await contender.run(40);
    t.true(perSecond > 0 && p50Ms !== undefined && p50Ms > 0, contender.name);
    t.true(
      ['load', 'bare route'].every((name) => name in cpuMsByProcess),
      Object.keys(cpuMsByProcess).join(', '),
    );
  }
});

test('calls of one channel wait for each other', async (t) => {
  const pool = new Pool(stack.urls[0]);
  t.teardown(() => pool.close());
  const context = { origin: stack.urls[0], pool, keys: undefined, page: '<p>A page</p>', seed: 1, channels: 1 };
  const channel = createChannel(context);
  await channel.prepare(4);
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => channel.send()));
  t.deepEqual(
    outcomes.map(({ code }) => code),
    ['200', '200', '200', '200'],
  );
  t.is(channel.ready(), 0);
  await t.throwsAsync(channel.send(), { message: 'no call is prepared' });
});

test('a mix of all scenarios gets the wanted answers, and is reported and compared', async (t) => {
  const step = await runMix();
  t.is(step.good + step.other, 60);
  t.is(step.other, 0, JSON.stringify(step.codes));
  t.deepEqual(
    Object.keys(step.codes)
      .map((code) => code.split(' ')[0])
      .toSorted(),
    SCENARIO_NAMES.toSorted(),
  );
  t.true(step.latencies.p50 > 0 && step.latencies.max >= step.latencies.p99);
  t.true((step.processes['load']?.cpuSeconds ?? 0) > 0);

  const result: LoadResult = {
    format: 1,
    startedAt: '2026-01-01T00:00:00.000Z',
    origin: stack.urls[0],
    mix: '<script>',
    machine: { cpus: 2, model: 'any', node: process.version },
    pageBytes: 1,
    threads: 1,
    connections: 32,
    steps: [step, { ...step, name: '40/s', offeredPerSecond: 40 }],
    capacity: undefined,
    aftermath: { violations: 0, pending: 0 },
  };
  const folder = mkdtempSync(join(tmpdir(), 'tollhouse-load-test-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'load.json'), JSON.stringify(result));
  const compared = compareResults(readEarlier(join(folder, 'load.json')), result);
  t.is(compared.length, 8);
  for (const { before, after } of compared) t.is(before, after);
  const html = toHtml(result, compared);
  t.false(/<script|https?:|\bNaN\b|undefined/.test(html.replace(stack.urls[0], '')), 'a page without scripts and gaps');
  t.is(html.match(/<svg /g)?.length, 10);
});

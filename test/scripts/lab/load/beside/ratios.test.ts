import test from 'ava';
import { compareRounds, type Sample } from '../../../../../scripts/lab/load/beside/ratios.ts';

const sample = (perSecond: number, cpuMsByProcess: Sample['cpuMsByProcess']): Sample => ({
  perSecond,
  p50Ms: 1000 / perSecond,
  p99Ms: 2000 / perSecond,
  cpuMsByProcess,
  codes: { '200': perSecond },
});

test('a ratio is the median of the ratios of the rounds, not the ratio of the medians', (t) => {
  const rate = (baseline: number, present: number) => ({
    baseline: sample(baseline, {}),
    present: sample(present, {}),
  });
  const { perSecond, p50Ms, p99Ms } = compareRounds([rate(100, 50), rate(200, 220), rate(400, 400)]);
  t.deepEqual(perSecond, {
    baseline: { median: 200, min: 100, max: 400 },
    present: { median: 220, min: 50, max: 400 },
    ratio: { median: 1, min: 0.5, max: 1.1 },
  });
  t.is(p50Ms.ratio?.max, 2);
  t.is(p99Ms.ratio?.max, 2);
});

test('with an even number of rounds, the median is between the two in the middle', (t) => {
  const round = (present: number) => ({ baseline: sample(4, {}), present: sample(present, {}) });
  t.deepEqual(compareRounds([round(4), round(2), round(1), round(3)]).perSecond.ratio, {
    median: 0.625,
    min: 0.25,
    max: 1,
  });
});

test('CPU time is compared by process, and altogether without the generator', (t) => {
  const { cpuMs, cpuMsByProcess } = compareRounds([
    {
      baseline: sample(1, { load: 9, gateway: 2, redis: 1, idle: 0 }),
      present: sample(1, { load: 3, gateway: 1, redis: 2, idle: 0 }),
    },
  ]);
  const once = (value: number) => ({ median: value, min: value, max: value });
  t.deepEqual(cpuMs, { baseline: once(3), present: once(3), ratio: once(1) });
  t.deepEqual(Object.keys(cpuMsByProcess), ['load', 'redis', 'gateway', 'idle']);
  t.deepEqual(cpuMsByProcess['gateway']?.ratio, once(0.5));
  t.deepEqual(cpuMsByProcess['redis']?.ratio, once(2));
});

test('a process that only one side has, and one that took no time, have no ratio', (t) => {
  const { cpuMsByProcess } = compareRounds([
    { baseline: sample(1, { idle: 0 }), present: sample(1, { maps: 2, idle: 0 }) },
  ]);
  t.deepEqual(cpuMsByProcess['maps']?.baseline, { median: 0, min: 0, max: 0 });
  t.is(cpuMsByProcess['maps']?.ratio, undefined);
  t.is(cpuMsByProcess['idle']?.ratio, undefined);
});

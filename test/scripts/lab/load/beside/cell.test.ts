import test from 'ava';
import {
  type CellPlan,
  measureCell,
  NotServedError,
  type Runner,
} from '../../../../../scripts/lab/load/beside/cell.ts';
import { cellLines } from '../../../../../scripts/lab/load/beside/describe.ts';
import type { Sample } from '../../../../../scripts/lab/load/beside/ratios.ts';
import type { Side } from '../../../../../scripts/lab/load/beside/sides.ts';

const CELL = { scenario: 'trial', inFlight: 8 } as const;
const SAMPLE: Sample = { perSecond: 10, p50Ms: 1, p99Ms: 2, cpuMsByProcess: { gateway: 3 }, codes: { '200': 10 } };

type Run = (side: Side, durationMs: number, isCounted: boolean) => Promise<Sample>;

/** Measures a cell with runners that do what `run` says. */
async function measure(run: Run, plan: Partial<CellPlan> = {}) {
  const steps: string[] = [];
  const start = (side: Side): Runner => ({
    run(durationMs, isCounted) {
      steps.push(`${side} ${durationMs}${isCounted ? '' : ' uncounted'}`);
      return run(side, durationMs, isCounted);
    },
    close: async () => void steps.push(`${side} closed`),
  });
  const defaults = { rounds: 4, roundMs: 100, warmUpMs: 50, onRound: () => {} };
  const result = await measureCell(CELL, { ...defaults, start, ...plan }).catch((error: unknown) => error);
  return { steps, result };
}

const CLOSED = ['baseline closed', 'present closed'];

test('after a warm-up of both sides, the side that begins changes with each round', async (t) => {
  const { steps } = await measure(async () => SAMPLE);
  t.deepEqual(steps, [
    'baseline 50 uncounted',
    'present 50 uncounted',
    'baseline 100',
    'present 100',
    'present 100',
    'baseline 100',
    'baseline 100',
    'present 100',
    'present 100',
    'baseline 100',
    ...CLOSED,
  ]);
});

test('each sample counts for its side, whichever side began', async (t) => {
  const byRound: (readonly [number, number])[] = [];
  const { result } = await measure(async (side) => ({ ...SAMPLE, perSecond: side === 'baseline' ? 10 : 30 }), {
    warmUpMs: 0,
    rounds: 2,
    onRound: (_round, { baseline, present }) => byRound.push([baseline.perSecond, present.perSecond]),
  });
  t.deepEqual(byRound, [
    [10, 30],
    [10, 30],
  ]);
  t.like(result, {
    ...CELL,
    figures: { perSecond: { ratio: { median: 3, min: 3, max: 3 } } },
    codes: { baseline: { '200': 20 }, present: { '200': 20 } },
  });
});

test('a side that does not serve the scenario ends its cell, and is named with the reason', async (t) => {
  const { steps, result } = await measure(async (side) => {
    if (side === 'present') return SAMPLE;
    throw new NotServedError('no offer: 404');
  });
  t.deepEqual(steps, ['baseline 50 uncounted', ...CLOSED]);
  const notServed = { side: 'baseline', reason: 'no offer: 404' } as const;
  t.deepEqual(result, { ...CELL, notServed });
  t.deepEqual(cellLines({ ...CELL, notServed }), [
    'trial, 8 in flight: not compared, the baseline failed: no offer: 404',
  ]);
});

test('another error ends the run, and the runners are closed', async (t) => {
  const fault = new Error('interrupted');
  const { steps, result } = await measure((side, durationMs) =>
    side === 'present' && durationMs === 100 ? Promise.reject(fault) : Promise.resolve(SAMPLE),
  );
  t.is(result, fault);
  t.deepEqual(steps.slice(-2), CLOSED);
});

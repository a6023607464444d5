import { setTimeout as delay } from 'node:timers/promises';
import { AHEAD_SECONDS } from '../generator/drive.ts';
import type { Generator, StepPlan } from '../generator/generator.ts';
import { createStepRecorder, type SecondResult, type StepResult, type UsageByName } from './step-result.ts';

/** Calls a second that a closed step may need. Preparing too few ends the step early. */
const CLOSED_PER_SECOND = 1500;

export interface StepOptions {
  readonly generator: Generator;
  readonly readUsage: () => UsageByName;
  /** Called once a second with what ended in the second before. */
  readonly onSecond: (second: SecondResult) => void;
  /** Calls a second that are prepared for a closed step. */
  readonly expectedPerSecond: number | undefined;
}

/** Prepares and runs one step. */
export async function runStep(
  name: string,
  plan: StepPlan,
  { generator, readUsage, onSecond, expectedPerSecond = CLOSED_PER_SECOND }: StepOptions,
): Promise<StepResult> {
  const seconds = plan.durationMs / 1000;
  const perSecond = plan.kind === 'open' ? plan.ratePerSecond : expectedPerSecond;
  await generator.prepare(Math.ceil(perSecond * (plan.kind === 'open' ? Math.min(seconds, AHEAD_SECONDS) : seconds)));
  const recorder = createStepRecorder(name, plan, readUsage());
  const running = new AbortController();
  const watching = watch(running.signal, (second) => {
    recorder.addUsage(second, readUsage());
    const latest = recorder.seconds().find((each) => each.second === second - 1);
    if (latest !== undefined) onSecond(latest);
  });
  try {
    const isCutShort = await generator.run(plan, recorder.add);
    return recorder.result(readUsage(), isCutShort);
  } finally {
    running.abort();
    await watching;
  }
}

async function watch(signal: AbortSignal, onSecond: (second: number) => void): Promise<void> {
  const startMs = performance.now();
  for (let second = 0; !signal.aborted; second += 1) {
    const isOver = await delay(Math.max(0, startMs + (second + 1) * 1000 - performance.now()), false, { signal }).catch(
      () => true,
    );
    if (!isOver) onSecond(second);
  }
}

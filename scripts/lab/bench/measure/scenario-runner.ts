import type { Scenario } from '../../load/scenarios/scenario.ts';
import { type Contender, keepInFlight } from './compare.ts';
import { withCpu } from './with-cpu.ts';

/** Calls that are prepared for the first round, per second of the round. */
const FIRST_PER_SECOND = 500;
/** Part of the rate of the last round for which calls are prepared. */
const RESERVE = 1.5;

export interface RunnerOptions {
  readonly inFlight: number;
  /** Calls a second that the first round may need. */
  readonly firstPerSecond?: number;
}

/** Prepares the calls of a round before it begins. A round ends early if it needs more than were prepared. */
export function runnerOf(
  scenario: Scenario,
  { inFlight, firstPerSecond = FIRST_PER_SECOND }: RunnerOptions,
): Contender['run'] {
  let perSecond = firstPerSecond;
  const send = async () => {
    const { isGood, code } = await scenario.send();
    if (!isGood) throw new Error(`a call was answered ${code}`);
  };
  return async (durationMs) => {
    await scenario.prepare(Math.ceil((perSecond * RESERVE * durationMs) / 1000) + inFlight);
    const { round, cpuMsByProcess } = await withCpu(() =>
      keepInFlight(inFlight, send, () => scenario.ready() > 0)(durationMs),
    );
    perSecond = round.perSecond;
    return { ...round, cpuMsByProcess };
  };
}

import { readUsage } from '../../load/measure/processes.ts';
import type { Round } from './compare.ts';

export interface MeasuredRound {
  readonly round: Round;
  readonly cpuMsByProcess: Readonly<Record<string, number>>;
}

/** Measures the processor time of every process for one operation, in milliseconds. Linux only. */
export async function withCpu(run: () => Promise<Round>): Promise<MeasuredRound> {
  const before = readUsage(process.pid);
  const startMs = performance.now();
  const round = await run();
  const operations = (round.perSecond * (performance.now() - startMs)) / 1000;
  const used = Array.from(readUsage(process.pid), ([name, { cpuSeconds }]): readonly [string, number] => {
    const earlier = before.get(name);
    return [name, earlier === undefined ? 0 : ((cpuSeconds - earlier.cpuSeconds) * 1000) / operations];
  });
  return { round, cpuMsByProcess: Object.fromEntries(used) };
}

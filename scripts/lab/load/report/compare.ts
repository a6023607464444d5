import type { EarlierResult, LoadResult } from './result.ts';
import { shown } from './table.ts';

export interface ComparedFigure {
  readonly step: string;
  readonly figure: string;
  readonly before: number;
  readonly after: number;
}

/** The figures that both runs have, step by step. */
export function compareResults(before: EarlierResult, after: LoadResult): readonly ComparedFigure[] {
  const figures = after.steps.flatMap((step) => {
    const old = before.steps.find(({ name }) => name === step.name);
    if (old === undefined) return [];
    const cpuOf = (processes: Readonly<Record<string, { readonly cpuMsPerCall: number | null }>>) =>
      Object.entries(processes).reduce(
        (sum, [name, { cpuMsPerCall }]) => (name === 'load' ? sum : sum + Number(cpuMsPerCall)),
        0,
      );
    const figure = (name: string, was: number | null, is: number): ComparedFigure => ({
      step: step.name,
      figure: name,
      before: was ?? Number.NaN,
      after: is,
    });
    return [
      figure('good calls/s', old.goodPerSecond, step.goodPerSecond),
      figure('p50 ms', old.latencies.p50, step.latencies.p50),
      figure('p99 ms', old.latencies.p99, step.latencies.p99),
      figure('CPU ms a call', cpuOf(old.processes), cpuOf(step.processes)),
    ];
  });
  if (before.capacity === undefined || after.capacity === undefined) return figures;
  const capacity = { before: before.capacity.ratePerSecond, after: after.capacity.ratePerSecond };
  return [...figures, { step: 'capacity', figure: 'calls/s', ...capacity }];
}

export const describeComparison = ({ step, figure, before, after }: ComparedFigure): string =>
  `${step}: ${figure} ${shown(before)} → ${shown(after)} (${shown(after / before)} ×)`;

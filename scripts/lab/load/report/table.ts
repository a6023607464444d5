import type { Visited } from '../measure/page-visitors.ts';
import type { SecondResult, StepResult } from '../measure/step-result.ts';

/** A number with as many digits as it deserves; a dash for a missing one. */
export function shown(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value >= 100) return value.toFixed(0);
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const COLUMNS = ['second', 'offered', 'good', 'other', 'p50 ms', 'p99 ms', 'max ms', 'CPU s'] as const;
const WIDTH = 9;

const row = (cells: readonly (string | number)[]): string => cells.map((cell) => String(cell).padStart(WIDTH)).join('');

export const tableHead = (): string => row(COLUMNS);

/** A second of a step as a line of the table. */
export function tableLine({ second, offered, good, other, latencies, cpu }: SecondResult): string {
  const { p50, p99, max } = latencies;
  const used = Object.entries(cpu).reduce((sum, [name, seconds]) => (name === 'load' ? sum : sum + seconds), 0);
  return row([second, offered, good, other, shown(p50), shown(p99), shown(max), shown(used)]);
}

/** A step in a few lines. */
export function stepLines(step: StepResult): readonly string[] {
  const { latencies, codes, processes } = step;
  const cpu = Object.entries(processes).toSorted(([, a], [, b]) => b.cpuSeconds - a.cpuSeconds);
  const perCall = cpu.filter(([name]) => name !== 'load').reduce((sum, [, { cpuMsPerCall }]) => sum + cpuMsPerCall, 0);
  return [
    `${step.name}: ${shown(step.goodPerSecond)}/s of ${shown(step.offeredPerSecond)}/s, p50 ${shown(latencies.p50)} ms, p99 ${shown(latencies.p99)} ms, max ${shown(latencies.max)} ms${step.isCutShort ? ' (cut short: the prepared calls ran out)' : ''}`,
    `  answers  ${Object.entries(codes)
      .map(([code, count]) => `${code}: ${count}`)
      .join(', ')}`,
    `  CPU      ${shown(perCall)} ms a call: ${cpu.map(([name, { cpuMsPerCall }]) => `${name} ${shown(cpuMsPerCall)}`).join(', ')}`,
    ...(step.visited === undefined ? [] : [visitedLine(step.visited)]),
  ];
}

const visitedLine = ({ ratePerSecond, answered, failed, skipped, p50, p99, max }: Visited): string =>
  `  pages    ${shown(ratePerSecond)}/s: ${answered} answered, ${failed} failed, ${skipped} not sent, p50 ${shown(p50)} ms, p99 ${shown(p99)} ms, max ${shown(max)} ms`;

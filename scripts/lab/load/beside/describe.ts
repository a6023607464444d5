import type { Spread } from '../../spread.ts';
import { shown } from '../report/table.ts';
import type { BesideResult } from './beside.ts';
import type { CellResult } from './cell.ts';
import type { ComparedFigure, Sample } from './ratios.ts';

/** Processes that used less on both sides are left out. */
const LEAST_SHOWN_MS = 0.005;
const NAME_WIDTH = 16;
const COLUMN_WIDTH = 26;

const spread = ({ median, min, max }: Spread): string => `${shown(median)} [${shown(min)} .. ${shown(max)}]`;

const row = (name: string, cells: readonly string[]): string =>
  `  ${name.padEnd(NAME_WIDTH)}${cells.map((cell) => cell.padEnd(COLUMN_WIDTH)).join('')}`.trimEnd();

const figureRow = (name: string, { baseline, present, ratio }: ComparedFigure): string =>
  row(name, [spread(baseline), spread(present), ratio === undefined ? '–' : spread(ratio)]);

const answers = (codes: Sample['codes']): string =>
  Object.entries(codes)
    .map(([code, count]) => `${code}: ${count}`)
    .join(', ');

/** A cell in a few lines: median [min .. max] of the rounds. */
export function cellLines(cell: CellResult): readonly string[] {
  const title = `${cell.scenario}, ${cell.inFlight} in flight`;
  if ('notServed' in cell)
    return [`${title}: not compared, the ${cell.notServed.side} failed: ${cell.notServed.reason}`];
  const { perSecond, p50Ms, p99Ms, cpuMs, cpuMsByProcess } = cell.figures;
  const isShown = ({ baseline, present }: ComparedFigure) =>
    Math.max(baseline.median, present.median) >= LEAST_SHOWN_MS;
  return [
    title,
    row('', ['baseline', 'present', 'present / baseline']),
    figureRow('calls/s', perSecond),
    figureRow('p50 ms', p50Ms),
    figureRow('p99 ms', p99Ms),
    figureRow('CPU ms a call', cpuMs),
    ...Object.entries(cpuMsByProcess)
      .filter(([, figure]) => isShown(figure))
      .map(([name, figure]) => figureRow(`  ${name}`, figure)),
    `  answers: baseline ${answers(cell.codes.baseline)}; present ${answers(cell.codes.present)}`,
  ];
}

/** Which commits were compared, and how. */
export function besideTitle({ baseline, present, rounds, roundMs }: BesideResult): string {
  const changed = present.isChanged ? ' with changes' : '';
  return `baseline ${baseline.ref} (${shortOf(baseline.commit)}), present ${shortOf(present.commit)}${changed}; ${rounds} rounds of ${roundMs / 1000} s: median [min .. max]; CPU a call without load`;
}

const shortOf = (commit: string): string => commit.slice(0, 10);

import { shown } from './table.ts';

/** A line of a plot. Points without a finite value leave a gap. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Plot {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly series: readonly Series[];
  /** Whether y is drawn on a logarithmic scale. */
  readonly isLogarithmic?: boolean;
}

const WIDTH = 720;
const HEIGHT = 260;
const LEFT = 64;
const RIGHT = 16;
const TOP = 12;
const BOTTOM = 40;
const TICKS = 5;
/** Colors that people with a color deficiency tell apart (Okabe and Ito, 2008). */
const COLORS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9', '#8c6d31', '#999999'] as const;

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

interface Axis {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

function linear(least: number, most: number, [from, to]: readonly [number, number]): Axis {
  const span = most > least ? most - least : 1;
  return {
    at: (value) => from + ((value - least) / span) * (to - from),
    ticks: Array.from({ length: TICKS }, (_, index) => least + (span * index) / (TICKS - 1)),
  };
}

function logarithmic(least: number, most: number, range: readonly [number, number]): Axis {
  const low = Math.floor(Math.log10(Math.max(least, 1e-3)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(most, 1e-3))));
  const inner = linear(low, high, range);
  return {
    at: (value) => inner.at(Math.log10(Math.max(value, 1e-3))),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  };
}

/** An SVG element with axes, lines and a legend. */
export function drawPlot({ title, xLabel, yLabel, series, isLogarithmic = false }: Plot): string {
  const points = series.flatMap((each) => each.points).filter(([, y]) => Number.isFinite(y));
  if (points.length === 0) return '';
  const xs = points.map(([x]) => x);
  const ys = points.map(([, y]) => y);
  const x = linear(Math.min(...xs), Math.max(...xs), [LEFT, WIDTH - RIGHT]);
  const yRange: readonly [number, number] = [HEIGHT - BOTTOM, TOP];
  const y = isLogarithmic ? logarithmic(Math.min(...ys), Math.max(...ys), yRange) : linear(0, Math.max(...ys), yRange);
  const grid = y.ticks.map(
    (tick) =>
      `<line class="grid" x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y.at(tick)}" y2="${y.at(tick)}"/><text class="tick" x="${LEFT - 6}" y="${y.at(tick) + 4}" text-anchor="end">${shown(tick)}</text>`,
  );
  const marks = x.ticks.map(
    (tick) =>
      `<text class="tick" x="${x.at(tick)}" y="${HEIGHT - BOTTOM + 16}" text-anchor="middle">${shown(tick)}</text>`,
  );
  const lines = series.map(
    ({ points: own }, index) =>
      `<path fill="none" stroke="${colorOf(index)}" stroke-width="1.8" d="${pathOf(own, x, y)}"/>`,
  );
  const legend = series.map(
    ({ name }, index) => `<li><span style="background:${colorOf(index)}"></span>${escapeHtml(name)}</li>`,
  );
  return `<figure><figcaption>${escapeHtml(title)}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escapeHtml(title)}">${grid.join('')}${marks.join('')}${lines.join('')}
<text class="label" x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">${escapeHtml(xLabel)}</text>
<text class="label" transform="translate(14 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">${escapeHtml(yLabel)}</text></svg>
<ul class="legend">${legend.join('')}</ul></figure>`;
}

const colorOf = (index: number): string => COLORS[index % COLORS.length] ?? COLORS[0];

/** Each run of finite points is a line of its own. A lone point is drawn as a dot. */
function pathOf(points: Series['points'], x: Axis, y: Axis): string {
  let isOpen = false;
  const parts: string[] = [];
  for (const [px, py] of points) {
    if (!Number.isFinite(py)) isOpen = false;
    else {
      const at = `${x.at(px).toFixed(1)} ${y.at(py).toFixed(1)}`;
      parts.push(isOpen ? `L${at}` : `M${at}h.1`);
      isOpen = true;
    }
  }
  return parts.join('');
}

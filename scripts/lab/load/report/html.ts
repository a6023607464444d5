import type { StepResult } from '../measure/step-result.ts';
import { type ComparedFigure, describeComparison } from './compare.ts';
import { drawPlot, escapeHtml } from './plots.ts';
import type { LoadResult } from './result.ts';
import { shown } from './table.ts';

const STYLE = `:root{color-scheme:light dark;--line:#8884}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{padding:.25rem .6rem;border-bottom:1px solid var(--line);text-align:right}
th:first-child,td:first-child{text-align:left}figure{margin:1.5rem 0}figcaption{font-weight:600}svg{width:100%;height:auto}.grid{stroke:var(--line)}
.tick,.label{font-size:11px;fill:currentColor;opacity:.75}.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.3rem 1rem;padding:0;font-size:13px}
.legend span{display:inline-block;width:.8em;height:.8em;margin-right:.4em;border-radius:2px}.wide{overflow-x:auto}`;

/** One HTML page without scripts or outside requests. */
export function toHtml(result: LoadResult, compared: readonly ComparedFigure[]): string {
  const { mix, startedAt, machine, steps, capacity, aftermath } = result;
  const facts = [
    `${startedAt}, ${machine.cpus} cores (${machine.model}), Node ${machine.node}; the load runs on the same machine`,
    `threads: ${result.threads}, connections: ${result.connections}; a page of ${result.pageBytes} bytes`,
    ...(capacity === undefined
      ? []
      : [
          `capacity ${shown(capacity.ratePerSecond)} calls/s with p99 ≤ ${capacity.limits.p99Ms} ms and ≤ ${capacity.limits.otherShare * 100} % other answers`,
        ]),
    ...(aftermath === undefined
      ? []
      : [`after the load: ${aftermath.violations} differences in the ledger, ${aftermath.pending} open reservations`]),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Load: ${escapeHtml(mix)}</title><style>${STYLE}</style></head><body>
<h1>Load: ${escapeHtml(mix)}</h1>
<ul>${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('')}</ul>
${overview(steps)}
${drawOverall(steps)}
${compared.length === 0 ? '' : `<h2>Against the earlier run</h2><ul>${compared.map((each) => `<li>${escapeHtml(describeComparison(each))}</li>`).join('')}</ul>`}
${steps.map(section).join('\n')}
</body></html>
`;
}

const cells = (tag: 'td' | 'th', values: readonly string[]): string =>
  `<tr>${values.map((value) => `<${tag}>${escapeHtml(value)}</${tag}>`).join('')}</tr>`;

function overview(steps: readonly StepResult[]): string {
  const head = ['step', 'offered/s', 'good/s', 'other', 'p50 ms', 'p90', 'p99', 'p99.9', 'max', 'CPU ms a call'];
  const rows = steps.map(({ name, offeredPerSecond, goodPerSecond, other, latencies, processes }) => {
    const { p50, p90, p99, p999, max } = latencies;
    const cpu = Object.entries(processes).reduce((sum, [of, use]) => (of === 'load' ? sum : sum + use.cpuMsPerCall), 0);
    return [
      name,
      shown(offeredPerSecond),
      shown(goodPerSecond),
      `${other}`,
      ...[p50, p90, p99, p999, max, cpu].map(shown),
    ];
  });
  return `<div class="wide"><table>${cells('th', head)}${rows.map((row) => cells('td', row)).join('')}</table></div>`;
}

/** Throughput against offered load, over all open steps. */
function drawOverall(steps: readonly StepResult[]): string {
  const open = steps
    .filter(({ plan }) => plan.kind === 'open')
    .toSorted((a, b) => a.offeredPerSecond - b.offeredPerSecond);
  if (open.length < 2) return '';
  const xLabel = 'offered calls a second';
  const over = (name: string, pick: (step: StepResult) => number) => ({
    name,
    points: open.map((step) => [step.offeredPerSecond, pick(step)] as const),
  });
  const throughput = [
    over('good answers', (step) => step.goodPerSecond),
    over('offered', (step) => step.offeredPerSecond),
  ];
  const latency = [over('p50', ({ latencies }) => latencies.p50), over('p99', ({ latencies }) => latencies.p99)];
  return (
    drawPlot({ title: 'Throughput against offered load', xLabel, yLabel: 'calls a second', series: throughput }) +
    drawPlot({ title: 'Latency against offered load', xLabel, yLabel: 'ms', series: latency, isLogarithmic: true })
  );
}

function section(step: StepResult): string {
  const { name, seconds, codes, processes } = step;
  const xLabel = 'second';
  const over = (label: string, pick: (second: (typeof seconds)[number]) => number) => ({
    name: label,
    points: seconds.map((second) => [second.second, pick(second)] as const),
  });
  const names = Object.entries(processes)
    .toSorted(([, a], [, b]) => b.cpuSeconds - a.cpuSeconds)
    .map(([of]) => of);
  const plots = [
    {
      title: `${name}: latency percentiles`,
      yLabel: 'ms',
      isLogarithmic: true,
      series: [
        over('p50', ({ latencies }) => latencies.p50),
        over('p90', ({ latencies }) => latencies.p90),
        over('p99', ({ latencies }) => latencies.p99),
        over('max', ({ latencies }) => latencies.max),
      ],
    },
    {
      title: `${name}: answers`,
      yLabel: 'calls a second',
      series: [
        over('offered', ({ offered }) => offered),
        over('good', ({ good }) => good),
        over('other', ({ other }) => other),
      ],
    },
    {
      title: `${name}: CPU by process`,
      yLabel: 'cores',
      series: names.map((of) => over(of, ({ cpu }) => cpu[of] ?? Number.NaN)),
    },
    {
      title: `${name}: memory by process`,
      yLabel: 'MB',
      series: names.map((of) => over(of, ({ megabytes }) => megabytes[of] ?? Number.NaN)),
    },
  ];
  const codeRows = Object.entries(codes).map(([code, count]) => cells('td', [code, `${count}`]));
  const head = ['process', 'CPU s', 'CPU ms a call', 'MB before', 'MB after', 'descriptors before', 'after'];
  const processRows = names.map((of) => {
    const use = processes[of];
    if (use === undefined) return '';
    const figures = [use.cpuSeconds, use.cpuMsPerCall, use.megabytesBefore, use.megabytesAfter].map(shown);
    return cells('td', [of, ...figures, `${use.descriptorsBefore}`, `${use.descriptorsAfter}`]);
  });
  return `<h2>${escapeHtml(name)}</h2>${plots.map((plot) => drawPlot({ ...plot, xLabel })).join('')}
<table>${cells('th', ['answer', 'calls'])}${codeRows.join('')}</table>
<div class="wide"><table>${cells('th', head)}${processRows.join('')}</table></div>`;
}

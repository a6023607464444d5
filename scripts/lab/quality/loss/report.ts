/** What one page loses. */
export interface PageLoss {
  readonly name: string;
  /** Pages of one group are added up. */
  readonly group: string;
  readonly headings: number;
  readonly lostHeadings: number;
  readonly blocks: number;
  /** The lost blocks, to be read by a person. */
  readonly lost: readonly string[];
  /** Other faults: text of the frame that is kept, a wrong title. */
  readonly faults: readonly string[];
}

/** A line for each group, and one for all pages. */
export function formatTotals(pages: readonly PageLoss[]): string {
  const groups = [...new Set(pages.map(({ group }) => group))];
  const lines = groups.map((group) =>
    formatTotal(
      group,
      pages.filter((page) => page.group === group),
    ),
  );
  return [...lines, formatTotal('all', pages)].join('\n');
}

/** The pages that lose the largest share of their blocks, and the first of these blocks. */
export function formatWorst(pages: readonly PageLoss[], count: number): string {
  const share = ({ lost, blocks }: PageLoss) => lost.length / Math.max(1, blocks);
  return pages
    .filter(({ lost, faults }) => lost.length + faults.length > 0)
    .toSorted((a, b) => share(b) - share(a))
    .slice(0, count)
    .map(({ name, lost, blocks, faults }) =>
      [`${name}: ${lost.length} of ${blocks} blocks`, ...lost.slice(0, SHOWN), ...faults.slice(0, SHOWN)].join('\n  '),
    )
    .join('\n');
}

const SHOWN = 20;
const NAME_WIDTH = 24;

function formatTotal(name: string, pages: readonly PageLoss[]): string {
  const sum = (figure: (page: PageLoss) => number) => pages.reduce((total, page) => total + figure(page), 0);
  const faults = sum((page) => page.faults.length);
  const parts = [
    `${name.padEnd(NAME_WIDTH)}${sum(() => 1)} pages`,
    `headings lost ${formatShare(
      sum((page) => page.lostHeadings),
      sum((page) => page.headings),
    )}`,
    `blocks lost ${formatShare(
      sum((page) => page.lost.length),
      sum((page) => page.blocks),
    )}`,
    ...(faults > 0 ? [`other faults ${faults}`] : []),
  ];
  return parts.join(', ');
}

function formatShare(part: number, all: number): string {
  return `${part} of ${all} (${((100 * part) / Math.max(1, all)).toFixed(2)} %)`;
}

import type { TreeNode } from '../../parse/tree.ts';
import { isCodeCell, isLineNumbers, writeFence } from './code.ts';
import type { MarkdownRule } from './rule.ts';

export interface Cell {
  readonly text: string;
  readonly node: TreeNode;
}

type Alignment = 'left' | 'center' | 'right' | null;

const DELIMITERS = { left: ':--', center: ':-:', right: '--:' } as const;
/** No cell of a Markdown table holds these; a table without a head that has them only places them on the page. */
const PLACED = new Set('H1 H2 H3 H4 H5 H6 UL OL DL TABLE BLOCKQUOTE PRE HR'.split(' '));
/** Spans are the author's word, and some kilobytes of them could ask for gigabytes of cells. */
const MAX_SPAN_COLUMNS = 100;
const MAX_SPAN_ROWS = 65_534;

export const tableRules: Readonly<Record<string, MarkdownRule>> = {
  table: {
    filter: ['table'],
    kind: 'frame',
    kindOf: (node) => {
      const survey = surveyTable(node);
      return survey.isCode ? 'leafBlock' : survey.isLayout ? 'block' : 'frame';
    },
    // Asked for only where the table is code.
    replacement: (_, node) => writeFence(node),
  },
  row: { filter: ['tr'], kind: 'frame', replacement: (content) => content },
  cell: {
    filter: ['td', 'th'],
    kind: 'frame',
    kindOf: (node) => (isLineNumbers(node) ? 'skip' : 'frame'),
    // A pipe parts cells in code spans as well (GFM 4.10), where the parser takes this backslash away.
    replacement: (content) =>
      content
        .replace(/\\\n|\n+/g, ' ')
        .replace(/\|/g, '\\|')
        .trim(),
  },
};

interface TableSurvey {
  readonly isLayout: boolean;
  readonly isCode: boolean;
}

/** Looks at a table down to the tables in it, so that nested ones are looked at once each. */
function surveyTable(table: TreeNode): TableSurvey {
  let cells = 0;
  let rows = 0;
  let codeCells = 0;
  let hasHead = false;
  let hasPlaced = false;
  let node = table.firstChild;
  while (node !== null) {
    const name = node.nodeName;
    if (name === 'TR') rows += 1;
    else if (name === 'TD' || name === 'TH') {
      cells += 1;
      if (name === 'TH') hasHead = true;
      if (isCodeCell(node)) codeCells += 1;
    } else if (name === 'THEAD') hasHead ||= node.firstChild !== null;
    else if (PLACED.has(name)) hasPlaced = true;
    if (node.firstChild !== null && name !== 'TABLE') {
      node = node.firstChild;
      continue;
    }
    while (node !== null && node.nextSibling === null) node = node.parentNode === table ? null : node.parentNode;
    node = node?.nextSibling ?? null;
  }
  const role = table.getAttribute('role');
  const isPlacing = role === 'presentation' || role === 'none' || (!hasHead && (hasPlaced || rows === 1));
  return { isLayout: isPlacing || cells <= rows, isCode: codeCells > 0 && codeCells >= rows };
}

/** Rows, of which the first is the head: GFM has no table without one, and takes as many columns as it has. */
export function writeTable(rows: readonly (readonly Cell[])[]): string {
  const grid = placeCells(rows.filter(isWritten));
  const [head, first] = grid;
  if (head === undefined) return '';
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  while (head.length < width) head.push(null);
  const delimiters = head.map((cell, column) => {
    const alignment = readAlignment(cell) ?? readAlignment(first?.[column] ?? null);
    return alignment === null ? '---' : DELIMITERS[alignment];
  });
  const lines = grid.map((row) => writeRow(row.map((cell) => cell?.text ?? '')));
  lines.splice(1, 0, writeRow(delimiters));
  return lines.join('\n');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Rows without text only keep distance, but an empty head says that there is none. */
function isWritten(row: readonly Cell[]): boolean {
  return row.some(({ text, node }) => text !== '' || node.nodeName === 'TH' || isInHead(node));
}

function isInHead({ parentNode }: TreeNode): boolean {
  return parentNode?.parentNode?.nodeName === 'THEAD';
}

/** A cell stands in the first row and column of what it spans; null in the others. */
function placeCells(rows: readonly (readonly Cell[])[]): (Cell | null)[][] {
  const takenUntil: number[] = [];
  return rows.map((row, rowIndex) => {
    const placed: (Cell | null)[] = [];
    for (const cell of row) {
      while ((takenUntil[placed.length] ?? 0) > rowIndex) placed.push(null);
      const columns = Math.min(readSpan(cell.node, 'colspan'), Math.max(1, MAX_SPAN_COLUMNS - placed.length));
      const until = rowIndex + Math.min(readSpan(cell.node, 'rowspan'), MAX_SPAN_ROWS);
      for (let column = 0; column < columns; column += 1) {
        if (placed.length < MAX_SPAN_COLUMNS) takenUntil[placed.length] = until;
        placed.push(column === 0 ? cell : null);
      }
    }
    return placed;
  });
}

function readSpan(cell: TreeNode, name: string): number {
  const span = Number.parseInt(cell.getAttribute(name) ?? '1', 10);
  return Number.isNaN(span) ? 1 : Math.max(1, span);
}

function readAlignment(cell: Cell | null): Alignment {
  if (cell === null) return null;
  const style = /(?:^|;)\s*text-align\s*:\s*(left|center|right)/i.exec(cell.node.getAttribute('style') ?? '');
  const alignment = (style?.[1] ?? cell.node.getAttribute('align') ?? '').toLowerCase();
  return alignment === 'left' || alignment === 'center' || alignment === 'right' ? alignment : null;
}

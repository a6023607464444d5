import { TEXT, type TreeNode, walk } from '../../parse/tree.ts';
import { declarationsOf } from '../../style/declarations.ts';
import { isCodeCell, isLineNumbers, writeFence } from './code.ts';
import type { MarkdownRule } from './rule.ts';

export interface Cell {
  readonly text: string;
  readonly node: TreeNode;
}

type Alignment = 'left' | 'center' | 'right' | null;

const DELIMITERS = { left: ':--', center: ':-:', right: '--:' } as const;
/** Elements that a cell of a Markdown table cannot have. A table without a head that has them is page layout. */
const PLACED = new Set('H1 H2 H3 H4 H5 H6 TABLE BLOCKQUOTE PRE HR IFRAME FORM'.split(' '));
const LISTS = new Set('UL OL DL'.split(' '));
/** Most characters of a cell beside the lists of a data table. A layout table has longer texts. */
const MAX_CELL_CHARACTERS = 300;
/** Authors choose spans freely. Some kilobytes of them could ask for gigabytes of cells. */
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
    // Only called for a table of code.
    replacement: (_, node) => writeFence(node),
  },
  row: { filter: ['tr'], kind: 'frame', replacement: (content) => content },
  cell: {
    filter: ['td', 'th'],
    kind: 'frame',
    kindOf: (node) => (isLineNumbers(node) ? 'skip' : 'frame'),
    // A pipe separates cells even in code spans (GFM 4.10). There, the parser removes this backslash.
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

/** Counts the parts of a table, without those of tables inside it. */
function surveyTable(table: TreeNode): TableSurvey {
  let cells = 0;
  let rows = 0;
  let codeCells = 0;
  let hasHead = false;
  let hasPlaced = false;
  let hasList = false;
  let isLong = false;
  let characters = 0;
  walk(table, {
    enter(node) {
      const name = node.nodeName;
      if (node.nodeType === TEXT) {
        characters += node.data.trim().length;
        isLong ||= characters > MAX_CELL_CHARACTERS;
      } else if (name === 'TR') rows += 1;
      else if (name === 'TD' || name === 'TH') {
        cells += 1;
        characters = 0;
        if (name === 'TH') hasHead = true;
        if (isCodeCell(node)) codeCells += 1;
      } else if (name === 'THEAD') hasHead ||= node.firstChild !== null;
      else if (PLACED.has(name)) hasPlaced = true;
      else if (LISTS.has(name)) hasList = true;
      return name === 'TABLE' ? 'past' : 'into';
    },
  });
  const role = table.getAttribute('role');
  // Lists are in the cells of data tables too, but these have several rows of short cells.
  const isPlaced = hasPlaced || rows === 1 || (hasList && (isLong || cells < 2 * rows));
  const isPlacing = role === 'presentation' || role === 'none' || (!hasHead && isPlaced);
  return { isLayout: isPlacing || cells <= rows, isCode: codeCells > 0 && codeCells >= rows };
}

/** Writes a table. The first row is the head, which GFM requires and which sets the number of columns. */
export function writeTable(rows: readonly (readonly Cell[])[]): string {
  const written = rows.filter(isWritten);
  const foot = written.filter(isInFoot);
  const grid = placeCells(foot.length === 0 ? written : [...written.filter((row) => !isInFoot(row)), ...foot]);
  const [head, first] = grid;
  if (head === undefined) return '';
  const width = grid.reduce((most, row) => Math.max(most, row.length), 0);
  while (head.length < width) head.push(null);
  const delimiters = head.map((cell, column) => {
    const alignment = readAlignment(cell) ?? readAlignment(first?.[column]);
    return alignment === null ? '---' : DELIMITERS[alignment];
  });
  const lines = grid.map((row) => writeRow(row.map((cell) => (cell === null ? '' : cell.text))));
  lines.splice(1, 0, writeRow(delimiters));
  return lines.join('\n');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

/** Whether a row is written. Rows without text are spacers, but an empty head means that the table has no head. */
function isWritten(row: readonly Cell[]): boolean {
  return row.some(({ text, node }) => text !== '' || node.nodeName === 'TH' || isInHead(node));
}

function isInHead({ parentNode }: TreeNode): boolean {
  return parentNode?.parentNode?.nodeName === 'THEAD';
}

/** Whether a row is in the foot, which is shown last wherever it stands. */
function isInFoot([cell]: readonly Cell[]): boolean {
  return cell?.node.parentNode?.parentNode?.nodeName === 'TFOOT';
}

/** Places the cells in a grid. A cell is in the first row and column of its span; the rest of the span is null. */
function placeCells(rows: readonly (readonly Cell[])[]): (Cell | null)[][] {
  const takenUntil: number[] = [];
  return rows.map((row, rowIndex) => {
    const placed: (Cell | null)[] = [];
    for (const cell of row) {
      while (isTaken(takenUntil[placed.length], rowIndex)) placed.push(null);
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

/** Whether a column is taken by a span of an earlier row. Most columns have none. */
function isTaken(until: number | undefined, row: number): boolean {
  return until !== undefined && until > row;
}

function readSpan(cell: TreeNode, name: string): number {
  const value = cell.getAttribute(name);
  if (value === null) return 1;
  const span = Number.parseInt(value, 10);
  return Number.isNaN(span) ? 1 : Math.max(1, span);
}

/** The alignment of a cell. Undefined stands for a cell that the row does not have. */
function readAlignment(cell: Cell | null | undefined): Alignment {
  if (cell === null || cell === undefined) return null;
  const alignment = declarationsOf(cell.node).get('text-align') ?? cell.node.getAttribute('align')?.toLowerCase();
  return alignment === 'left' || alignment === 'center' || alignment === 'right' ? alignment : null;
}

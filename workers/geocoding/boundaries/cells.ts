import { defined } from '../../exact/defined.ts';
import { type Arcs, UNITS_PER_DEGREE } from './arcs.ts';

/** Half a degree. A cell that a border crosses has some fifty edges. */
const CELL = UNITS_PER_DEGREE / 2;
export const COLUMNS = (360 * UNITS_PER_DEGREE) / CELL;
export const ROWS = (180 * UNITS_PER_DEGREE) / CELL;
export const WEST = -180 * UNITS_PER_DEGREE;
export const SOUTH = -90 * UNITS_PER_DEGREE;

/** Offset of a reference point in its cell. Border points are on whole units; this one is not, so no border crosses it. */
const OFFSET_X = CELL / 2 + 0.3717;
const OFFSET_Y = CELL / 2 + 0.5;

/** The world as cells: for each cell, the edges that touch it and the area (plus one) at its reference point. */
export interface Cells {
  /** Index of each cell's first edge in `edges`, then the number of edges. */
  readonly starts: Uint32Array;
  /** Indices of the first points of edges. */
  readonly edges: Uint32Array;
  readonly areas: Uint16Array;
}

export function columnAt(x: number): number {
  return Math.min(Math.max(Math.floor((x - WEST) / CELL), 0), COLUMNS - 1);
}

export function rowAt(y: number): number {
  return Math.min(Math.max(Math.floor((y - SOUTH) / CELL), 0), ROWS - 1);
}

export function referenceX(column: number): number {
  return WEST + column * CELL + OFFSET_X;
}

export function referenceY(row: number): number {
  return SOUTH + row * CELL + OFFSET_Y;
}

export function buildCells(arcs: Arcs): Cells {
  return { ...sortEdges(arcs), areas: areasOfReference(arcs) };
}

/** Sorts edges by cell in two passes, one to count and one to fill. A list for each cell would be much slower and larger. */
function sortEdges(arcs: Arcs): Pick<Cells, 'starts' | 'edges'> {
  const starts = new Uint32Array(COLUMNS * ROWS + 1);
  forEachTouch(arcs, (cell) => {
    starts[cell + 1] = defined(starts[cell + 1]) + 1;
  });
  for (let cell = 0; cell < COLUMNS * ROWS; cell++) {
    starts[cell + 1] = defined(starts[cell + 1]) + defined(starts[cell]);
  }
  const next = starts.slice();
  const edges = new Uint32Array(defined(starts.at(-1)));
  forEachTouch(arcs, (cell, edge) => {
    const at = defined(next[cell]);
    edges[at] = edge;
    next[cell] = at + 1;
  });
  return { starts, edges };
}

/** Calls `touch` for each cell in the box around each edge. Edges are short, so few of these cells are not touched. */
function forEachTouch({ x, y, starts, left }: Arcs, touch: (cell: number, edge: number) => void): void {
  for (let arc = 0; arc < left.length; arc++) {
    const first = defined(starts[arc]);
    const last = defined(starts[arc + 1]) - 1;
    let column = columnAt(defined(x[first]));
    let row = rowAt(defined(y[first]));
    for (let edge = first; edge < last; edge++) {
      const nextColumn = columnAt(defined(x[edge + 1]));
      const nextRow = rowAt(defined(y[edge + 1]));
      if (nextColumn === column && nextRow === row) touch(row * COLUMNS + column, edge);
      else {
        for (let r = Math.min(row, nextRow); r <= Math.max(row, nextRow); r++) {
          for (let c = Math.min(column, nextColumn); c <= Math.max(column, nextColumn); c++)
            touch(r * COLUMNS + c, edge);
        }
      }
      column = nextColumn;
      row = nextRow;
    }
  }
}

interface Crossing {
  readonly x: number;
  /** Area to the east, plus one. */
  readonly east: number;
}

/** Areas at the reference points. On the reference line of a row, an area reaches from one border crossing to the next. */
function areasOfReference(arcs: Arcs): Uint16Array {
  const areas = new Uint16Array(COLUMNS * ROWS);
  for (const [row, crossings] of crossingsOfRows(arcs).entries()) {
    crossings.sort((a, b) => a.x - b.x);
    let passed = 0;
    let area = 0;
    for (let column = 0; column < COLUMNS; column++) {
      const x = referenceX(column);
      for (let next = crossings[passed]; next !== undefined && next.x < x; next = crossings[passed]) {
        area = next.east;
        passed++;
      }
      areas[row * COLUMNS + column] = area;
    }
  }
  return areas;
}

function crossingsOfRows({ x, y, starts, left, right }: Arcs): Crossing[][] {
  const rows = Array.from({ length: ROWS }, (): Crossing[] => []);
  for (let arc = 0; arc < left.length; arc++) {
    const last = defined(starts[arc + 1]) - 1;
    for (let edge = defined(starts[arc]); edge < last; edge++) {
      const fromX = defined(x[edge]);
      const fromY = defined(y[edge]);
      const toY = defined(y[edge + 1]);
      // For a northward edge, the east is on the right.
      const east = defined(toY > fromY ? right[arc] : left[arc]);
      const low = Math.min(fromY, toY);
      const high = Math.max(fromY, toY);
      let row = Math.ceil((low - SOUTH - OFFSET_Y) / CELL);
      for (let line = referenceY(row); line < high; line = referenceY(++row)) {
        const along = (line - fromY) / (toY - fromY);
        defined(rows[row]).push({ x: fromX + along * (defined(x[edge + 1]) - fromX), east });
      }
    }
  }
  return rows;
}

import { type Arcs, UNITS_PER_DEGREE } from './arcs.ts';

/** Half a degree: some fifty edges in a cell that a border crosses. */
const CELL = UNITS_PER_DEGREE / 2;
export const COLUMNS = (360 * UNITS_PER_DEGREE) / CELL;
export const ROWS = (180 * UNITS_PER_DEGREE) / CELL;
export const WEST = -180 * UNITS_PER_DEGREE;
export const SOUTH = -90 * UNITS_PER_DEGREE;

/**
 * Points lie on whole units. A reference point lies between them, so that no border runs through it.
 */
const OFFSET_X = CELL / 2 + 0.3717;
const OFFSET_Y = CELL / 2 + 0.5;

/** The world in cells: the edges that touch each, and the area (plus one) at a point of reference in each. */
export interface Cells {
  /** Where the edges of every cell start in `edges`, and where those of one after the last would. */
  readonly starts: Uint32Array;
  /** An edge is known by its first point. */
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

/** Two passes, to count and to fill: a list for every cell would be slower and larger by far. */
function sortEdges(arcs: Arcs): Pick<Cells, 'starts' | 'edges'> {
  const starts = new Uint32Array(COLUMNS * ROWS + 1);
  forEachTouch(arcs, (cell) => {
    starts[cell + 1] = (starts[cell + 1] ?? 0) + 1;
  });
  for (let cell = 0; cell < COLUMNS * ROWS; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const next = starts.slice();
  const edges = new Uint32Array(starts.at(-1) ?? 0);
  forEachTouch(arcs, (cell, edge) => {
    const at = next[cell] ?? 0;
    edges[at] = edge;
    next[cell] = at + 1;
  });
  return { starts, edges };
}

/** Cells by the box around an edge: edges are short, so that few of them are touched by the box alone. */
function forEachTouch({ x, y, starts, left }: Arcs, touch: (cell: number, edge: number) => void): void {
  for (let arc = 0; arc < left.length; arc++) {
    const last = (starts[arc + 1] ?? 0) - 1;
    let column = columnAt(x[starts[arc] ?? 0] ?? 0);
    let row = rowAt(y[starts[arc] ?? 0] ?? 0);
    for (let edge = starts[arc] ?? 0; edge < last; edge++) {
      const nextColumn = columnAt(x[edge + 1] ?? 0);
      const nextRow = rowAt(y[edge + 1] ?? 0);
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

/** Along the line of reference of every row, an area reaches from one crossing with a border to the next. */
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
    const last = (starts[arc + 1] ?? 0) - 1;
    for (let edge = starts[arc] ?? 0; edge < last; edge++) {
      const fromY = y[edge] ?? 0;
      const toY = y[edge + 1] ?? 0;
      // Northward, the east is on the right.
      const east = (toY > fromY ? right[arc] : left[arc]) ?? 0;
      const low = Math.min(fromY, toY);
      const high = Math.max(fromY, toY);
      let row = Math.ceil((low - SOUTH - OFFSET_Y) / CELL);
      for (let line = referenceY(row); line < high; line = referenceY(++row)) {
        const along = (line - fromY) / (toY - fromY);
        rows[row]?.push({ x: (x[edge] ?? 0) + along * ((x[edge + 1] ?? 0) - (x[edge] ?? 0)), east });
      }
    }
  }
  return rows;
}

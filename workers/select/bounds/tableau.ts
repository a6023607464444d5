import { defined } from '../../exact/defined.ts';

const TOLERANCE = 1e-9;

/** The sum of coefficients times unknowns is at most `limit`. */
export interface Inequality {
  readonly coefficients: readonly number[];
  readonly limit: number;
}

/** A basic variable that leaves the basis, at its upper bound (1) or its lower bound (0). */
export interface Leaving {
  readonly row: number;
  readonly end: 0 | 1;
}

/**
 * The dense tableau of the bounded dual simplex method, without the columns of basic variables. Unknowns are from 0 to 1 and
 * have the first numbers, from 0 on. Slacks follow and have no upper bound.
 */
export class Tableau {
  readonly #width: number;
  /** Reduced costs of the objective, which is maximized. */
  readonly #costs: Float64Array;
  readonly #cells: readonly Float64Array[];
  /** Values of the basic variables. */
  readonly #values: Float64Array;
  readonly #basic: Int32Array;
  readonly #nonbasic: Int32Array;
  /** 1 for a nonbasic variable at its upper bound, 0 at its lower. */
  readonly #ends: Uint8Array;

  constructor(objective: readonly number[], rows: readonly Inequality[], isUpper: readonly boolean[]) {
    this.#width = objective.length;
    this.#costs = Float64Array.from(objective);
    this.#cells = rows.map(({ coefficients }) => Float64Array.from(coefficients));
    this.#basic = Int32Array.from(rows, (_, row) => objective.length + row);
    this.#nonbasic = Int32Array.from(objective, (_, column) => column);
    this.#ends = Uint8Array.from(isUpper, (is) => (is ? 1 : 0));
    this.#values = Float64Array.from(rows, ({ coefficients, limit }) => {
      return coefficients.reduce((left, coefficient, column) => (isUpper[column] ? left - coefficient : left), limit);
    });
  }

  /** The basic variable that is furthest outside its bounds. */
  leaving(): Leaving | undefined {
    let found: Leaving | undefined;
    let furthest = TOLERANCE;
    for (const [row, value] of this.#values.entries()) {
      const isSlack = defined(this.#basic[row]) >= this.#width;
      const distance = value < 0 ? -value : isSlack ? 0 : value - 1;
      if (distance <= furthest) continue;
      furthest = distance;
      found = { row, end: value < 0 ? 0 : 1 };
    }
    return found;
  }

  /**
   * The nonbasic variable that enters: the first candidate that brings the row to its bound. Candidates before it are moved
   * from one bound to the other, which is not enough (the long step of Maros 2003). Undefined if no candidate is enough.
   */
  entering({ row, end }: Leaving): number | undefined {
    const line = this.#line(row);
    const value = defined(this.#values[row]);
    let distance = end === 0 ? -value : value - 1;
    for (const column of this.#candidates(line, end)) {
      distance -= Math.abs(defined(line[column]));
      if (distance <= 0 || defined(this.#nonbasic[column]) >= this.#width) return column;
      this.#flip(column);
    }
    return undefined;
  }

  /** The columns whose change brings a row nearer to its bound, in the order in which their costs change sign. */
  #candidates(line: Float64Array, end: 0 | 1): readonly number[] {
    const columns: number[] = [];
    for (let column = 0; column < this.#width; column += 1) {
      const cell = defined(line[column]);
      if (this.#ends[column] !== end ? cell > TOLERANCE : cell < -TOLERANCE) columns.push(column);
    }
    const ratioOf = (column: number) => Math.abs(defined(this.#costs[column]) / defined(line[column]));
    return columns.sort((a, b) => ratioOf(a) - ratioOf(b) || a - b);
  }

  #flip(column: number): void {
    const step = this.#ends[column] === 1 ? -1 : 1;
    this.#ends[column] = this.#ends[column] === 1 ? 0 : 1;
    for (const [row, line] of this.#cells.entries()) {
      this.#values[row] = defined(this.#values[row]) - defined(line[column]) * step;
    }
  }

  pivot({ row, end }: Leaving, column: number): void {
    const line = this.#line(row);
    const cell = defined(line[column]);
    const step = (defined(this.#values[row]) - end) / cell;
    for (const [other, cells] of this.#cells.entries()) {
      this.#values[other] = defined(this.#values[other]) - defined(cells[column]) * step;
    }
    this.#values[row] = defined(this.#ends[column]) + step;
    const variable = defined(this.#basic[row]);
    this.#basic[row] = defined(this.#nonbasic[column]);
    this.#nonbasic[column] = variable;
    this.#ends[column] = end;
    for (let other = 0; other < this.#width; other += 1) line[other] = defined(line[other]) / cell;
    line[column] = 1 / cell;
    for (const other of this.#cells) if (other !== line) eliminate(other, line, column);
    eliminate(this.#costs, line, column);
  }

  /** The multiplier of each row in the bound on the objective. */
  duals(): readonly number[] {
    return this.#bySlack(this.#costs, -1);
  }

  /** The multiplier of each row in a sum that nothing obeys. Only if no variable can enter. */
  ray({ row, end }: Leaving): readonly number[] {
    const multipliers = this.#bySlack(this.#line(row), end === 0 ? 1 : -1);
    const variable = defined(this.#basic[row]);
    if (variable >= this.#width) multipliers[variable - this.#width] = 1;
    return multipliers;
  }

  #bySlack(line: Float64Array, sign: number): number[] {
    const multipliers = this.#cells.map(() => 0);
    for (const [column, variable] of this.#nonbasic.entries()) {
      if (variable >= this.#width) multipliers[variable - this.#width] = sign * defined(line[column]);
    }
    return multipliers;
  }

  #line(row: number): Float64Array {
    return defined(this.#cells[row]);
  }
}

function eliminate(line: Float64Array, by: Float64Array, column: number): void {
  const factor = defined(line[column]);
  if (factor === 0) return;
  line[column] = 0;
  for (let other = 0; other < line.length; other += 1) {
    line[other] = defined(line[other]) - factor * defined(by[other]);
  }
}

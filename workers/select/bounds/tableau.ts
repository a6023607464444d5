const TOLERANCE = 1e-9;

export interface Inequality {
  readonly coefficients: readonly number[];
  readonly limit: number;
}

/** A basic variable that leaves the basis, at its upper end (1) or its lower (0). */
export interface Leaving {
  readonly row: number;
  readonly end: 0 | 1;
}

/**
 * The dense tableau of the bounded dual simplex method, without the columns of what is basic. Unknowns go from 0 to 1 and
 * are numbered from 0, slacks have no upper end and follow.
 */
export class Tableau {
  readonly #width: number;
  /** Reduced costs of what is to be maximised. */
  readonly #costs: Float64Array;
  readonly #cells: readonly Float64Array[];
  /** Of the basic variables. */
  readonly #values: Float64Array;
  readonly #basic: Int32Array;
  readonly #nonbasic: Int32Array;
  /** 1 where a nonbasic variable is at its upper end. */
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

  /** The basic variable that is furthest outside its ends. */
  leaving(): Leaving | undefined {
    let found: Leaving | undefined;
    let furthest = TOLERANCE;
    for (const [row, value] of this.#values.entries()) {
      const isSlack = (this.#basic[row] ?? 0) >= this.#width;
      const distance = value < 0 ? -value : isSlack ? 0 : value - 1;
      if (distance <= furthest) continue;
      furthest = distance;
      found = { row, end: value < 0 ? 0 : 1 };
    }
    return found;
  }

  /**
   * The nonbasic variable to enter: of those whose cost changes its sign, the first that brings the row to its end. Those
   * before it, which do not though they go from one end to the other, do that (the long step of Maros 2003). None where
   * all of them do not.
   */
  entering({ row, end }: Leaving): number | undefined {
    const line = this.#line(row);
    const value = this.#values[row] ?? 0;
    let distance = end === 0 ? -value : value - 1;
    for (const column of this.#candidates(line, end)) {
      distance -= Math.abs(line[column] ?? 0);
      if (distance <= 0 || (this.#nonbasic[column] ?? 0) >= this.#width) return column;
      this.#flip(column);
    }
    return undefined;
  }

  /** Those whose change brings a row nearer to its end, by when their costs change their signs. */
  #candidates(line: Float64Array, end: 0 | 1): readonly number[] {
    const columns: number[] = [];
    for (let column = 0; column < this.#width; column += 1) {
      const cell = line[column] ?? 0;
      if (this.#ends[column] !== end ? cell > TOLERANCE : cell < -TOLERANCE) columns.push(column);
    }
    const ratioOf = (column: number) => Math.abs((this.#costs[column] ?? 0) / (line[column] ?? 1));
    return columns.sort((a, b) => ratioOf(a) - ratioOf(b) || a - b);
  }

  #flip(column: number): void {
    const step = this.#ends[column] === 1 ? -1 : 1;
    this.#ends[column] = this.#ends[column] === 1 ? 0 : 1;
    for (const [row, line] of this.#cells.entries()) {
      this.#values[row] = (this.#values[row] ?? 0) - (line[column] ?? 0) * step;
    }
  }

  pivot({ row, end }: Leaving, column: number): void {
    const line = this.#line(row);
    const cell = line[column] ?? 1;
    const step = ((this.#values[row] ?? 0) - end) / cell;
    for (const [other, { [column]: factor = 0 }] of this.#cells.entries()) {
      this.#values[other] = (this.#values[other] ?? 0) - factor * step;
    }
    this.#values[row] = (this.#ends[column] ?? 0) + step;
    const variable = this.#basic[row] ?? 0;
    this.#basic[row] = this.#nonbasic[column] ?? 0;
    this.#nonbasic[column] = variable;
    this.#ends[column] = end;
    for (let other = 0; other < this.#width; other += 1) line[other] = (line[other] ?? 0) / cell;
    line[column] = 1 / cell;
    for (const other of this.#cells) if (other !== line) eliminate(other, line, column);
    eliminate(this.#costs, line, column);
  }

  /** What each row counts in the bound on the objective. */
  duals(): readonly number[] {
    return this.#bySlack(this.#costs, -1);
  }

  /** What each row counts in a sum that cannot be obeyed, where nothing can enter. */
  ray({ row, end }: Leaving): readonly number[] {
    const multipliers = this.#bySlack(this.#line(row), end === 0 ? 1 : -1);
    const variable = this.#basic[row] ?? 0;
    if (variable >= this.#width) multipliers[variable - this.#width] = 1;
    return multipliers;
  }

  #bySlack(line: Float64Array, sign: number): number[] {
    const multipliers = this.#cells.map(() => 0);
    for (const [column, variable] of this.#nonbasic.entries()) {
      if (variable >= this.#width) multipliers[variable - this.#width] = sign * (line[column] ?? 0);
    }
    return multipliers;
  }

  #line(row: number): Float64Array {
    return this.#cells[row] ?? this.#costs;
  }
}

function eliminate(line: Float64Array, by: Float64Array, column: number): void {
  const factor = line[column] ?? 0;
  if (factor === 0) return;
  line[column] = 0;
  for (let other = 0; other < line.length; other += 1) line[other] = (line[other] ?? 0) - factor * (by[other] ?? 0);
}

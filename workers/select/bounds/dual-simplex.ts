/** Most work of one program, in entries of the tableau that are written: a tenth of a second. */
const MAX_WORK = 60_000_000;
const MAX_PIVOTS = 2000;
const TOLERANCE = 1e-9;

export interface LinearProgram {
  /** To be maximised over unknowns from 0 to 1. */
  readonly objective: readonly number[];
  /** Each: sum of coefficients times unknowns ≤ limit. */
  readonly rows: readonly { readonly coefficients: readonly number[]; readonly limit: number }[];
}

export interface Multipliers {
  /** Whether the multipliers are a proof, but for rounding, that no unknowns obey the rows. */
  readonly isContradiction: boolean;
  /** Of each row, not negative. */
  readonly multipliers: readonly number[];
}

/**
 * Multipliers that give the rows' sum the least bound on the objective: the bounded dual simplex method on a dense
 * tableau. It starts from a basis of slacks, which is dual feasible with each unknown at the end that its objective
 * coefficient likes, so that whenever it stops its multipliers give a bound, if not always the least. They are guesses:
 * whoever uses them rounds them and sums rows exactly.
 */
export function findMultipliers(program: LinearProgram): Multipliers {
  const scales = scalesOf(program);
  const tableau = createTableau(program, scales);
  const pivots = Math.min(MAX_PIVOTS, MAX_WORK / (1 + program.rows.length * program.objective.length));
  let contradiction: readonly number[] | undefined;
  for (let pivot = 0; pivot < pivots && contradiction === undefined; pivot += 1) {
    const leaving = tableau.leaving();
    if (leaving === undefined) break;
    const entering = tableau.entering(leaving);
    if (entering === undefined) contradiction = tableau.ray(leaving);
    else tableau.pivot(leaving, entering);
  }
  const scaled = contradiction ?? tableau.duals();
  const unit = contradiction === undefined ? scales.objective : 1;
  return {
    isContradiction: contradiction !== undefined,
    multipliers: scaled.map((multiplier, row) =>
      multiplier > TOLERANCE ? (multiplier * unit) / (scales.rows[row] ?? 1) : 0,
    ),
  };
}

interface Scales {
  readonly objective: number;
  readonly rows: readonly number[];
}

/** The largest coefficients: the tableau holds numbers from -1 to 1 at first. */
function scalesOf({ objective, rows }: LinearProgram): Scales {
  const largest = (values: readonly number[]) =>
    values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return { objective: largest(objective), rows: rows.map(({ coefficients }) => largest(coefficients)) };
}

interface Leaving {
  readonly row: number;
  /** 1 where it leaves at its upper end, else 0. */
  readonly end: number;
}

function createTableau({ objective, rows }: LinearProgram, scales: Scales) {
  const width = objective.length;
  const height = rows.length;
  const costs = Float64Array.from(objective, (cost) => cost / scales.objective);
  const cells = rows.map(({ coefficients }, row) =>
    Float64Array.from(coefficients, (coefficient) => coefficient / (scales.rows[row] ?? 1)),
  );
  const values = Float64Array.from(rows, ({ limit }, row) => limit / (scales.rows[row] ?? 1));
  /** Unknowns are 0 to width - 1, slacks follow. */
  const basic = Int32Array.from(rows, (_, row) => width + row);
  const nonbasic = Int32Array.from(objective, (_, column) => column);
  const atUpper = Uint8Array.from(costs, (cost) => (cost > 0 ? 1 : 0));
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (atUpper[column] === 1) values[row] = (values[row] ?? 0) - (cells[row]?.[column] ?? 0);
    }
  }

  /** The basic variable that is furthest outside its ends. */
  function leaving(): Leaving | undefined {
    let found: Leaving | undefined;
    let furthest = TOLERANCE;
    for (let row = 0; row < height; row += 1) {
      const value = values[row] ?? 0;
      const end = value < 0 ? 0 : 1;
      if (end === 1 && (basic[row] ?? 0) >= width) continue;
      const distance = end === 0 ? -value : value - 1;
      if (distance > furthest) {
        furthest = distance;
        found = { row, end };
      }
    }
    return found;
  }

  /** The nonbasic variable whose cost is the first to change its sign. */
  function entering({ row, end }: Leaving): number | undefined {
    const line = cells[row] ?? costs;
    let found: number | undefined;
    let least = Number.POSITIVE_INFINITY;
    let size = 0;
    for (let column = 0; column < width; column += 1) {
      const cell = line[column] ?? 0;
      const helps = (end === 0) === (atUpper[column] === 1) ? cell > TOLERANCE : cell < -TOLERANCE;
      if (!helps) continue;
      const ratio = Math.abs((costs[column] ?? 0) / cell);
      // Of equals, the largest pivot: it loses the fewest digits.
      if (ratio < least - TOLERANCE || (ratio <= least + TOLERANCE && Math.abs(cell) > size)) {
        least = Math.min(least, ratio);
        size = Math.abs(cell);
        found = column;
      }
    }
    return found;
  }

  function pivot({ row, end }: Leaving, column: number): void {
    const line = cells[row] ?? costs;
    const cell = line[column] ?? 1;
    const step = ((values[row] ?? 0) - end) / cell;
    for (let other = 0; other < height; other += 1) {
      values[other] = (values[other] ?? 0) - (cells[other]?.[column] ?? 0) * step;
    }
    values[row] = (atUpper[column] ?? 0) + step;
    const variable = basic[row] ?? 0;
    basic[row] = nonbasic[column] ?? 0;
    nonbasic[column] = variable;
    atUpper[column] = end;
    for (let other = 0; other < width; other += 1) line[other] = (line[other] ?? 0) / cell;
    line[column] = 1 / cell;
    for (const other of [...cells, costs]) if (other !== line) eliminate(other, line, column);
  }

  function eliminate(line: Float64Array, by: Float64Array, column: number): void {
    const factor = line[column] ?? 0;
    if (factor === 0) return;
    line[column] = 0;
    for (let other = 0; other < width; other += 1) line[other] = (line[other] ?? 0) - factor * (by[other] ?? 0);
  }

  const bySlack = (line: ArrayLike<number>, sign: number) => {
    const multipliers = new Array<number>(height).fill(0);
    for (const [column, variable] of nonbasic.entries()) {
      if (variable >= width) multipliers[variable - width] = sign * (line[column] ?? 0);
    }
    return multipliers;
  };

  function ray({ row, end }: Leaving): readonly number[] {
    const multipliers = bySlack(cells[row] ?? costs, end === 0 ? 1 : -1);
    const variable = basic[row] ?? 0;
    if (variable >= width) multipliers[variable - width] = 1;
    return multipliers;
  }

  return { leaving, entering, pivot, ray, duals: () => bySlack(costs, -1) };
}

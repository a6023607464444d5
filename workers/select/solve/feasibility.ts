import { heldAt, type MovingRow } from '../bounds/moving-row.ts';
import type { Row } from '../model/row.ts';
import type { SearchSpace } from '../search/search.ts';
import { createSpace, type Domain } from '../search/space.ts';

/** A space in which any set that reaches the goal will do. */
export interface FeasibilitySpace {
  readonly space: SearchSpace;
  readonly goal: bigint;
}

/**
 * Where nothing is to be best, the row that is hardest to obey within the others is made the objective, and its limit the
 * goal; what the sums for each of the others say is held.
 */
export function createFeasibilitySpace(domain: Domain): FeasibilitySpace {
  const { rows, size } = domain;
  let hardest: { readonly row: Row; readonly slack: number } | undefined;
  const held: MovingRow[] = [];
  for (const row of rows) {
    const objective = row.coefficients.map((coefficient) => -coefficient);
    const { rows: moving } = createSpace({ ...domain, rows: rows.filter((other) => other !== row) }, objective);
    const sums = moving.slice(1).filter(({ weight }) => weight > 0n);
    const [slack = Number.NEGATIVE_INFINITY] = sums.map((sum) => slackOf(heldAt(sum, -row.limit)));
    held.push(...sums.map((sum) => heldAt(sum, -row.limit)));
    if (hardest === undefined || slack < hardest.slack) hardest = { row, slack };
  }
  const objective = hardest?.row.coefficients.map((coefficient) => -coefficient) ?? new Array<bigint>(size).fill(0n);
  const others = rows.filter((row) => row !== hardest?.row);
  return { space: createSpace({ ...domain, rows: others }, objective, held), goal: -(hardest?.row.limit ?? 0n) };
}

/** What a row leaves of its limit at the least sum, as a part of the coefficients. */
function slackOf({ coefficients, constant }: MovingRow): number {
  let least = 0;
  let size = 0;
  for (const coefficient of coefficients.map(Number)) {
    least += Math.min(0, coefficient);
    size += Math.abs(coefficient);
  }
  return (Number(constant) - least) / (size || 1);
}

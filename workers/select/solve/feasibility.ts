import type { Domain } from '../search/domain.ts';
import { impliedRows, negative } from '../search/implied.ts';
import type { SearchSpace } from '../search/search.ts';
import { createSpace } from '../search/space.ts';

/** A space in which every set that reaches the goal obeys the constraints. */
export interface FeasibilitySpace {
  readonly space: SearchSpace;
  readonly goal: bigint;
}

/**
 * The space of a problem without objectives. The row that is hardest to obey under the others becomes the objective, and its
 * limit the goal.
 */
export function createFeasibilitySpace(domain: Domain): FeasibilitySpace {
  const { rows, size } = domain;
  const implied = impliedRows(domain);
  const hardest = implied[0]?.row ?? rows[0];
  if (hardest === undefined) return { space: createSpace(domain, new Array<bigint>(size).fill(0n)), goal: 0n };
  const others = rows.filter((row) => row !== hardest);
  const held = implied.slice(1).map((row) => row.implied);
  return { space: createSpace({ ...domain, rows: others }, negative(hardest), { held }), goal: -hardest.limit };
}

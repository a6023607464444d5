import { defined } from '../../exact/defined.ts';
import type { MovingRow } from '../bounds/moving-row.ts';
import { type Problem, reduceRows } from '../model/problem.ts';
import type { Budget } from '../search/budget.ts';
import type { Domain } from '../search/domain.ts';
import { prepareSearch } from '../search/run.ts';
import { heldRows } from '../search/space.ts';
import { kindsOf } from './alike.ts';
import { bestSet, worthOf } from './best.ts';
import { createFeasibilitySpace } from './feasibility.ts';
import { smallestSet } from './smallest.ts';

export interface Optimum {
  /** The best known set, as indices of the problem's items. Undefined if none is known. */
  readonly found: readonly number[] | undefined;
  /** Whether the search was complete: `found` is the answer, or no set obeys. */
  readonly isComplete: boolean;
  /** Whether no set is better than `found` by the objectives. An equally good one may still be smaller. */
  readonly isValueProven: boolean;
  /** No set has more of the first objective. Undefined if no bound is known. */
  readonly bound: bigint | undefined;
}

/**
 * The best set by one objective after the other, all maximized. The best value of each objective is a row for the next ones.
 * Of equally good sets, the smallest list of items.
 */
export function optimize(problem: Problem, objectives: readonly (readonly bigint[])[], budget: Budget): Optimum {
  const { groups, free } = problem;
  const size = free.length;
  const domain: Domain = { size, groups, rows: problem.rows, kinds: kindsOf({ ...problem, size, objectives }) };
  const earliestEnd = earliestEndOf(problem);
  let rows = problem.rows;
  let held: readonly MovingRow[] = [];
  let known: readonly number[] | undefined;
  let bound: bigint | undefined;
  for (const [index, objective] of objectives.entries()) {
    // The best set of the objectives before obeys the rows, so some number of items is possible.
    const current = { ...domain, rows: defined(reduceRows(size, rows)) };
    const best = bestSet(current, { objective, known, held, budget });
    const { found, isComplete, space, search, prepareForEquals: prepare } = best;
    if (index === 0) bound = best.bound;
    if (!isComplete || found === undefined) return { found, isComplete, isValueProven: false, bound };
    const goal = worthOf(found, objective);
    rows = [...rows, { coefficients: objective.map((gain) => -gain), limit: -goal }];
    if (index === objectives.length - 1) {
      const smallest = smallestSet(found, {
        domain,
        rows,
        space,
        search,
        prepare,
        goal,
        earliestEnd,
        budget,
      });
      return { found: smallest.set, isComplete: smallest.isComplete, isValueProven: true, bound };
    }
    known = found;
    held = [...held, ...heldRows(space, goal)];
  }
  return anySet(domain, earliestEnd, budget);
}

/** The index before which a list of items cannot end: a required item follows. */
export function earliestEndOf({ free, required }: Problem): number {
  const lastRequired = Math.max(-1, ...required);
  return free.filter((item) => item < lastRequired).length;
}

/** The smallest set that obeys the constraints, for problems without objectives. */
function anySet(domain: Domain, earliestEnd: number, budget: Budget): Optimum {
  const { space, goal } = createFeasibilitySpace(domain);
  const search = prepareSearch(space);
  const choices = new Array<'open'>(domain.size).fill('open');
  const { found, isComplete } = search({ goal, isAnyEnough: true, choices, budget });
  if (found === undefined) return { found, isComplete, isValueProven: false, bound: undefined };
  const smallest = smallestSet(found, {
    domain,
    rows: domain.rows,
    space,
    search,
    prepare: () => search,
    goal,
    earliestEnd,
    budget,
  });
  return { found: smallest.set, isComplete: smallest.isComplete, isValueProven: true, bound: undefined };
}

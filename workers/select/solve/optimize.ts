import type { MovingRow } from '../bounds/moving-row.ts';
import type { Problem } from '../model/problem.ts';
import { reduceRows } from '../model/problem.ts';
import { leastOf, type Row } from '../model/row.ts';
import type { Budget } from '../search/budget.ts';
import { run } from '../search/run.ts';
import { createSpace, type Domain, heldRows } from '../search/space.ts';
import { kindsOf } from './alike.ts';
import { createFeasibilitySpace } from './feasibility.ts';
import { smallestSet } from './smallest.ts';

export interface Optimum {
  /** The best set known, of places in the problem; undefined where none is. */
  readonly found: readonly number[] | undefined;
  /** Whether `found` is the answer, and there is none without it. */
  readonly isComplete: boolean;
  /** No set has more of the first objective; undefined where nothing is said. */
  readonly bound: bigint | undefined;
}

/**
 * The best set by one objective after the other, all to be maximised: what one comes to is a row for those after it.
 * Among equals, the smallest.
 */
export function optimize(problem: Problem, objectives: readonly (readonly bigint[])[], budget: Budget): Optimum {
  const { groups } = problem;
  const size = problem.free.length;
  const kinds = kindsOf({ size, rows: problem.rows, objectives, groups });
  const domain: Domain = { size, rows: problem.rows, groups, kinds };
  const rows: Row[] = [...problem.rows];
  const lastRequired = Math.max(-1, ...problem.required);
  const earliestEnd = problem.free.filter((item) => item < lastRequired).length;
  const [first] = objectives;
  if (first === undefined) return anySet(domain, earliestEnd, budget);

  let held: readonly MovingRow[] = [];
  let found: readonly number[] | undefined;
  let bound: bigint | undefined;
  for (const [index, objective] of objectives.entries()) {
    const current = { ...domain, rows: reduceRows(size, rows) ?? rows };
    const space = createSpace(current, objective, held);
    const known = found && worthOf(found, objective);
    const goal = known === undefined ? leastOf(objective) : known + 1n;
    const findings = run(space, { goal, isAnyEnough: false, choices: allOpen(size), budget });
    found = findings.found ?? found;
    const value = found && worthOf(found, objective);
    if (index === 0) bound = greatest(value, findings.bound);
    if (!findings.isComplete || found === undefined || value === undefined) {
      return { found, isComplete: findings.isComplete, bound };
    }
    rows.push({ coefficients: objective.map((gain) => -gain), limit: -value });
    held = [...held, ...heldRows(space, value)];
    if (index === objectives.length - 1) {
      const smallest = smallestSet(found, { domain: current, rows, space, goal: value, earliestEnd, budget });
      return { found: smallest.set, isComplete: smallest.isComplete, bound };
    }
  }
  throw new RangeError('there is always a last objective');
}

function anySet(domain: Domain, earliestEnd: number, budget: Budget): Optimum {
  const { space, goal } = createFeasibilitySpace(domain);
  const { found, isComplete } = run(space, { goal, isAnyEnough: true, choices: allOpen(domain.size), budget });
  if (found === undefined) return { found, isComplete, bound: undefined };
  const smallest = smallestSet(found, { domain, rows: domain.rows, space, goal, earliestEnd, budget });
  return { found: smallest.set, isComplete: smallest.isComplete, bound: undefined };
}

const allOpen = (size: number) => new Array<'open'>(size).fill('open');

const worthOf = (items: readonly number[], objective: readonly bigint[]): bigint =>
  items.reduce((sum, item) => sum + (objective[item] ?? 0n), 0n);

const greatest = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;

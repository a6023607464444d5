import { defined } from '../../exact/defined.ts';
import { type Problem, reduceRows } from '../model/problem.ts';
import { minOf, type Row, sizeOf } from '../model/row.ts';
import { rowAt } from '../search/bounding-row.ts';
import { type Budget, type Findings, prepareSearch } from '../search/search.ts';
import { createSpace, type Domain, membershipsOf } from '../search/space.ts';
import { smallestSet, type Target } from './smallest.ts';

type Objective = readonly bigint[];

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
export function optimize(problem: Problem, objectives: readonly Objective[], budget: Budget): Optimum {
  const domain = domainOf(problem, objectives);
  let { rows } = domain;
  let held: readonly Row[] = [];
  let known: readonly number[] | undefined;
  let bound: bigint | undefined;
  let target: Target | undefined;
  for (const [index, objective] of objectives.entries()) {
    // The best set of the objectives before obeys the rows, so some number of items is possible.
    const space = createSpace({ ...domain, rows: defined(reduceRows(domain.size, rows)) }, objective, held);
    const search = prepareSearch(space);
    const goal = known === undefined ? minOf(objective) : worthOf(known, objective) + 1n;
    const findings = search({ ...open(domain), goal, isAnyEnough: false, budget });
    known = findings.found ?? known;
    const value = known && worthOf(known, objective);
    if (index === 0) bound = maxOfBoth(value, findings.bound);
    if (!findings.isComplete || value === undefined) {
      return { found: known, isComplete: findings.isComplete, isValueProven: false, bound };
    }
    target = { space, search, goal: value };
    rows = [...rows, { coefficients: objective.map((gain) => -gain), limit: -value }];
    held = [...held, ...space.rows.slice(1).flatMap((row) => (row.weight > 0n ? [rowAt(row, value)] : []))];
  }
  target ??= feasibility(domain);
  if (known === undefined) {
    const { found, isComplete } = anyOf(domain, target, budget);
    if (found === undefined) return { found, isComplete, isValueProven: false, bound };
    known = found;
  }
  const earliestEnd = earliestEndOf(problem);
  const { set, isComplete } = smallestSet(known, { ...target, domain, rows, earliestEnd, budget });
  return { found: set, isComplete, isValueProven: true, bound };
}

/** Searches for a set that obeys the constraints. */
export function findAny(problem: Problem, budget: Budget): Findings {
  const domain = domainOf(problem, []);
  return anyOf(domain, feasibility(domain), budget);
}

const open = ({ size }: Domain) => ({ choices: new Array<'open'>(size).fill('open') });

const anyOf = (domain: Domain, { search, goal }: Target, budget: Budget): Findings =>
  search({ ...open(domain), goal, isAnyEnough: true, budget });

/**
 * A search without objectives. The row that has the least room relative to its size becomes the objective, and its limit the
 * goal.
 */
function feasibility(domain: Domain): Target {
  const slackOf = ({ coefficients, limit }: Row) => {
    return Number(limit - minOf(coefficients)) / Number(sizeOf(coefficients));
  };
  const [tightest, ...others] = domain.rows.toSorted((a, b) => slackOf(a) - slackOf(b));
  const objective = tightest?.coefficients.map((value) => -value) ?? new Array<bigint>(domain.size).fill(0n);
  const space = createSpace({ ...domain, rows: others }, objective);
  return { space, search: prepareSearch(space), goal: tightest === undefined ? 0n : -tightest.limit };
}

const maxOfBoth = (a: bigint | undefined, b: bigint | undefined): bigint | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a;

const worthOf = (items: readonly number[], objective: Objective): bigint =>
  items.reduce((sum, item) => sum + defined(objective[item]), 0n);

/** The index before which a list of items cannot end: a required item follows. */
function earliestEndOf({ free, required }: Problem): number {
  const lastRequired = Math.max(-1, ...required);
  return free.filter((item) => item < lastRequired).length;
}

function domainOf({ free, rows, groups }: Problem, objectives: readonly Objective[]): Domain {
  const columns = [...rows.map(({ coefficients }) => coefficients), ...objectives];
  const memberships = membershipsOf(free.length, groups);
  const first = new Map<string, number>();
  const kinds = free.map((_, item) => {
    const key = `${columns.map((column) => column[item]).join(' ')};${memberships[item]?.join(' ')}`;
    const kind = first.get(key) ?? item;
    first.set(key, kind);
    return kind;
  });
  return { size: free.length, rows, groups, kinds };
}

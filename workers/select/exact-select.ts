import { formatNumber } from '../exact/numbers.ts';
import { FIRST_LIMITS } from '../exact/selection-schema.ts';
import { type Constraint, constraintsOf } from './model/constraint.ts';
import { poseProblem } from './model/problem.ts';
import { divisorOf } from './model/row.ts';
import { readSelection } from './request/read-selection.ts';
import type { Selection } from './request/selection.ts';
import { type Budget, createBudget } from './search/budget.ts';
import { minimalCore } from './solve/core.ts';
import { type Optimum, optimize } from './solve/optimize.ts';
import { solve } from './solve/solve.ts';

export interface SelectionAnswer {
  /** `optimal`: proven. `infeasible`: proven that no choice obeys. `indeterminate`: the nodes ran out before either. */
  readonly outcome: 'optimal' | 'infeasible' | 'indeterminate';
  /**
   * Ids, ascending. Where it is optimal, the one answer: of all choices that are best by the objectives in turn, the
   * smallest list, compared id by id by code point, where a list is smaller than what continues it. Where it is
   * indeterminate, the best choice known, which obeys but need not be best; empty, as where it is infeasible, if
   * `totals` is null.
   */
  readonly chosen: readonly string[];
  /** Sums over the chosen, of the attributes that capacities or objectives name; null where no choice is known. */
  readonly totals: Readonly<Record<string, string>> | null;
  /**
   * Whether no choice has better totals of the objectives. An answer that is indeterminate with this may only lose against
   * an equally good choice with a smaller list of ids.
   */
  readonly value_proven: boolean;
  /**
   * Where it is infeasible, names of constraints that contradict each other; none can be left out, unless `nodes` has
   * reached its limit: then some may.
   */
  readonly core: readonly string[];
  /**
   * What no choice exceeds in the first objective if it is maximized, or falls below if it is minimized; what the
   * answer has where it is optimal. Null where it is infeasible, without an objective and before anything is known.
   */
  readonly best_bound: string | null;
  /** Decisions that were tried, at most `node_limit`; 32 cells of a table count as one. */
  readonly nodes: number;
}

/** The answer of version 1.0.0, which says nothing of its value. */
export type FirstSelectionAnswer = Omit<SelectionAnswer, 'value_proven'>;

/** How the best set is found. */
type Solve = typeof optimize;

/**
 * Chooses items exactly: the best by objectives in turn, within capacities. Bounded by nodes and never by time: the
 * answer is the same on every machine, for items in any order.
 * @throws {SelectionError}
 */
export function exactSelect(json: unknown): SelectionAnswer {
  return selectBy(readSelection(json), solve);
}

/**
 * As version 1.0.0 of the pure tool answers, for good: without tables, and with the limits of then.
 * @throws {SelectionError}
 */
export function exactSelectFirst(json: unknown): FirstSelectionAnswer {
  const { value_proven: _, ...answer } = selectBy(readSelection(json, FIRST_LIMITS), optimize);
  return answer;
}

/** The answer by one way of solving: tests compare them. */
export function selectBy(selection: Selection, solveBy: Solve): SelectionAnswer {
  const constraints = constraintsOf(selection);
  const budget = createBudget(selection.nodeLimit);
  const { found, isComplete, isValueProven, bound } = decide(selection, constraints, budget, solveBy);
  if (isComplete && found === undefined) return infeasible(selection, constraints, budget, solveBy);
  return {
    outcome: isComplete ? 'optimal' : 'indeterminate',
    value_proven: isValueProven,
    chosen: (found ?? []).map((item) => selection.ids[item] ?? ''),
    totals: found === undefined ? null : totalsOf(selection, found),
    core: [],
    best_bound: bound === undefined ? null : format(bound, selection),
    nodes: budget.used,
  };
}

/** The best set of items, its bound in the first objective's own direction and units. */
function decide(selection: Selection, constraints: readonly Constraint[], budget: Budget, solveBy: Solve): Optimum {
  const problem = poseProblem(selection, constraints);
  if (problem === undefined) return { found: undefined, isComplete: true, isValueProven: false, bound: undefined };
  const objectives = selection.objectives.map(({ of, isMaximized }) => {
    const values = problem.free.map((item) => selection.values.get(of)?.[item] ?? 0n);
    const divisor = isMaximized ? divisorOf(values) : -divisorOf(values);
    return { of, divisor, gains: values.map((value) => value / divisor) };
  });
  const { found, isComplete, isValueProven, bound } = solveBy(
    problem,
    objectives.map(({ gains }) => gains),
    budget,
  );
  const [first] = objectives;
  const all = found && [...problem.required, ...found.map((item) => problem.free[item] ?? 0)].sort((a, b) => a - b);
  if (first === undefined || bound === undefined) return { found: all, isComplete, isValueProven, bound: undefined };
  return {
    found: all,
    isComplete,
    isValueProven,
    bound: bound * first.divisor + sumOf(selection, first.of, problem.required),
  };
}

function infeasible(
  selection: Selection,
  constraints: readonly Constraint[],
  budget: Budget,
  solveBy: Solve,
): SelectionAnswer {
  const core = minimalCore(constraints, (some) => {
    const { found, isComplete } = decide({ ...selection, objectives: [] }, some, budget, solveBy);
    return isComplete && found === undefined;
  });
  const names = core.map(({ name }) => name);
  return {
    outcome: 'infeasible',
    value_proven: false,
    chosen: [],
    totals: null,
    core: names,
    best_bound: null,
    nodes: budget.used,
  };
}

function totalsOf(selection: Selection, items: readonly number[]): Readonly<Record<string, string>> {
  const names = [...selection.values.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, format(sumOf(selection, name, items), selection)]));
}

function sumOf({ values }: Selection, of: string, items: readonly number[]): bigint {
  return items.reduce((sum, item) => sum + (values.get(of)?.[item] ?? 0n), 0n);
}

const format = (numerator: bigint, { scale }: Selection): string => formatNumber({ numerator, scale });

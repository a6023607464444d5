import { defined } from '../exact/defined.ts';
import { formatNumber } from '../exact/numbers.ts';
import { type Constraint, constraintsOf } from './model/constraint.ts';
import { poseProblem } from './model/problem.ts';
import { divisorOf } from './model/row.ts';
import { readSelection } from './request/read-selection.ts';
import type { Selection } from './request/selection.ts';
import type { Budget } from './search/search.ts';
import { minimalCore } from './solve/core.ts';
import { findAny, type Optimum, optimize } from './solve/optimize.ts';

export interface SelectionAnswer {
  /** `optimal`: proven. `infeasible`: proven that no choice obeys. `indeterminate`: the nodes ran out before a proof. */
  readonly outcome: 'optimal' | 'infeasible' | 'indeterminate';
  /**
   * Ids, ascending. Of several optimal choices, this is the smallest list: lists are compared id by id, by code point, and a
   * list is smaller than one that continues it. If the outcome is `indeterminate`: the best known choice, which obeys all
   * constraints. Empty if `totals` is null.
   */
  readonly chosen: readonly string[];
  /** Sums over the chosen items of the attributes that capacities or objectives name. Null if no choice is known. */
  readonly totals: Readonly<Record<string, string>> | null;
  /**
   * Whether it is proven that no choice has better totals of the objectives. If the outcome is `indeterminate` all the
   * same, only an equally good choice with a smaller list of ids may exist.
   */
  readonly value_proven: boolean;
  /**
   * If the outcome is `infeasible`: names of constraints that contradict each other. None can be left out, unless `nodes`
   * has reached its limit.
   */
  readonly core: readonly string[];
  /**
   * A bound on the first objective: no choice is above it if the objective is maximized, or below it if it is minimized.
   * The value of the answer if that is optimal. Null if the outcome is `infeasible`, without an objective, and before any
   * bound is known.
   */
  readonly best_bound: string | null;
  /** Decisions that were tried, at most `node_limit`. */
  readonly nodes: number;
}

/**
 * Chooses items exactly: the best choice by each objective in turn that obeys all constraints. The search is limited by
 * nodes and never by time. So the answer is the same on every machine, and for items in any order.
 * @throws {SelectionError}
 */
export function exactSelect(json: unknown): SelectionAnswer {
  const selection = readSelection(json);
  const constraints = constraintsOf(selection);
  const budget: Budget = { limit: selection.nodeLimit, used: 0 };
  const { found, isComplete, isValueProven, bound } = decide(selection, constraints, budget);
  const isInfeasible = isComplete && found === undefined;
  return {
    outcome: isInfeasible ? 'infeasible' : isComplete ? 'optimal' : 'indeterminate',
    value_proven: isValueProven,
    chosen: found?.map((item) => defined(selection.ids[item])) ?? [],
    totals: found === undefined ? null : totalsOf(selection, found),
    core: isInfeasible ? coreOf(selection, constraints, budget) : [],
    best_bound: bound === undefined ? null : format(bound, selection),
    nodes: budget.used,
  };
}

/** The best set of items, with the bound in the direction and units of the first objective. */
function decide(selection: Selection, constraints: readonly Constraint[], budget: Budget): Optimum {
  const problem = poseProblem(selection, constraints);
  if (problem === undefined) return { found: undefined, isComplete: true, isValueProven: false, bound: undefined };
  const objectives = selection.objectives.map(({ of, isMaximized }) => {
    const values = problem.free.map((item) => itemValue(selection, of, item));
    const divisor = isMaximized ? divisorOf(values) : -divisorOf(values);
    return { of, divisor, gains: values.map((value) => value / divisor) };
  });
  const gains = objectives.map((objective) => objective.gains);
  const { found, bound, ...proven } = optimize(problem, gains, budget);
  const [first] = objectives;
  return {
    ...proven,
    found: found && [...problem.required, ...found.map((item) => defined(problem.free[item]))].sort((a, b) => a - b),
    bound:
      first && bound !== undefined ? bound * first.divisor + sumOf(selection, first.of, problem.required) : undefined,
  };
}

/** Names of constraints that contradict each other. */
function coreOf(selection: Selection, constraints: readonly Constraint[], budget: Budget): readonly string[] {
  const core = minimalCore(constraints, (some) => {
    const problem = poseProblem(selection, some);
    if (problem === undefined) return true;
    const { found, isComplete } = findAny(problem, budget);
    return isComplete && found === undefined;
  });
  return core.map(({ name }) => name);
}

function totalsOf(selection: Selection, items: readonly number[]): Readonly<Record<string, string>> {
  const names = [...selection.values.keys()].sort();
  return Object.fromEntries(names.map((name) => [name, format(sumOf(selection, name, items), selection)]));
}

function sumOf(selection: Selection, of: string, items: readonly number[]): bigint {
  return items.reduce((sum, item) => sum + itemValue(selection, of, item), 0n);
}

const itemValue = ({ values }: Selection, of: string, item: number): bigint => defined(defined(values.get(of))[item]);

const format = (numerator: bigint, { scale }: Selection): string => formatNumber({ numerator, scale });

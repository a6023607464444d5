import type { Problem } from '../model/problem.ts';
import { type Budget, partOf } from '../search/budget.ts';
import { type Layout, layOut } from '../table/layout.ts';
import { bestByTable } from '../table/tabulate.ts';
import { worthsOf } from '../table/worths.ts';
import { worthOf } from './best.ts';
import { earliestEndOf, type Optimum, optimize } from './optimize.ts';

/** Nodes of the search before a table is filled. They are enough for most selections. */
const SCOUT_NODES = 50_000;
/** About this many cells take the time of one node. */
const CELLS_PER_NODE = 32;

interface Table {
  readonly layout: Layout;
  readonly worths: readonly number[];
  /** The number of nodes that filling the table counts as. */
  readonly nodes: number;
}

/**
 * The best set by one objective after the other: by branch and bound, or by dynamic programming if that takes long and the
 * sums are of small integers. Both find the same set.
 */
export function solve(problem: Problem, objectives: readonly (readonly bigint[])[], budget: Budget): Optimum {
  const table = planTable(problem, objectives);
  if (table === undefined || table.nodes >= budget.left) return optimize(problem, objectives, budget);
  const scouted = optimize(problem, objectives, partOf(budget, Math.min(SCOUT_NODES, budget.left - table.nodes)));
  if (scouted.isComplete || !budget.take(table.nodes)) return scouted;
  const found = bestByTable(table.layout, table.worths, earliestEndOf(problem));
  const [first] = objectives;
  const bound = found !== undefined && first !== undefined ? worthOf(found, first) : undefined;
  return { found, isComplete: true, isValueProven: found !== undefined, bound };
}

function planTable(problem: Problem, objectives: readonly (readonly bigint[])[]): Table | undefined {
  const worths = worthsOf(objectives, problem.free.length);
  const layout = worths && layOut(problem);
  return layout && { layout, worths, nodes: Math.ceil(layout.total / CELLS_PER_NODE) };
}

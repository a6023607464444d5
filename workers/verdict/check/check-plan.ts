import { findDangers } from '../../plan/lint/dangers.ts';
import { findOversights } from '../../plan/lint/oversights.ts';
import type { Plan } from '../../plan/plan.ts';
import { readPlan } from '../../plan/read/read-plan.ts';
import type { TableText } from '../../plan/read/read-table.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Fault, Linted } from '../run/checked.ts';
import { lintVerdict, malformed, ofPlan } from '../run/judgement.ts';
import { toFault } from '../run/to-fault.ts';
import { rulesAlwaysTrue } from '../search/always-true.ts';
import { type CompletionSearch, searchCompletion } from '../search/complete-run.ts';

/** Most steps that are checked for reachability. Each costs a question to the solver. */
const MAX_REACHED = 8;

/** The texts that a plan refers to by hash. */
interface PlanTexts {
  readonly sheets?: readonly string[];
  readonly tools?: readonly string[];
  readonly tables?: readonly TableText[];
}

/** Nodes for each of these questions. */
const MAX_REACH_NODES = 500_000;

/** Checks whether some run obeys a plan. `vacuous`: none does. Lint lists what is valid but probably not intended. */
export function checkPlan(
  document: unknown,
  solver: BoundedSolver,
  { sheets = [], tools = [], tables = [] }: PlanTexts = {},
): Linted {
  let plan: Plan;
  try {
    plan = readPlan(document, sheets, { tools, tables });
  } catch (error) {
    return faulty(error);
  }
  return checkTyped(plan, solver);
}

function faulty(error: unknown): Linted {
  const fault = toFault(error);
  return { fault, judgement: malformed('possible', fault), lint: [] };
}

/** The same for a plan that was read. */
export function checkTyped(plan: Plan, solver: BoundedSolver): Linted {
  let search: CompletionSearch;
  try {
    search = searchCompletion({ plan, actions: [] }, solver);
  } catch (error) {
    return faulty(error);
  }
  const judgement = ofPlan(search.judgement);
  const unreached = judgement.verdict === 'satisfied' ? lintReach(plan, search.reached, solver) : [];
  const lint = [
    ...findOversights(plan),
    ...rulesAlwaysTrue(plan, solver),
    ...lintVerdict(judgement),
    ...unreached,
    ...findDangers(plan),
  ];
  return { judgement, lint };
}

/** Steps of which no run that obeys the plan has an action. */
function lintReach(plan: Plan, reached: ReadonlySet<string>, solver: BoundedSolver): readonly Fault[] {
  const found = new Set(reached);
  const asked = [...plan.steps.entries()].filter(([, { stepId }]) => !reached.has(stepId)).slice(0, MAX_REACHED);
  return asked.flatMap(([index, step]) => {
    if (found.has(step.stepId)) return [];
    const steps = plan.steps.with(index, { ...step, min: 1 });
    const options = { plan: { ...plan, steps }, actions: [], maxNodes: MAX_REACH_NODES };
    const search = searchCompletion(options, solver);
    for (const stepId of search.reached) found.add(stepId);
    if (search.judgement.verdict !== 'violated') return [];
    const message = 'no run that obeys the plan has this step';
    return [{ code: 'STEP_UNREACHABLE', path: `/steps/${index}`, message }];
  });
}

import { DocumentError } from '../../exact/document-error.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { expand } from '../language/expand.ts';
import { lookOut } from '../outlook/judge-outlook.ts';
import { stepBounds } from '../outlook/step-bounds.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { TableText } from '../plan/read-table.ts';
import type { Fault, Linted } from '../run/checked.ts';
import { type Judgement, malformed, ofPlan } from '../run/judgement.ts';
import { lintPlan, lintVerdict } from '../run/lint.ts';
import { BOOL, RunBuilder } from '../run/run-builder.ts';
import { rulesOfUse } from '../run/sheet-rules.ts';
import { toFault } from '../run/to-fault.ts';
import { completionOf } from './by-format.ts';
import { lintPlan2 } from './lint-2.ts';

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
  by: BoundedSolver,
  { sheets = [], tools = [], tables = [] }: PlanTexts = {},
): Linted {
  let plan: Plan;
  try {
    plan = readPlan(document, sheets, { tools, tables });
    if (plan.format === 2) return checkPlan2(plan, by);
    assertExpandable(plan);
  } catch (error) {
    const fault = toFault(error);
    return { fault, judgement: malformed('possible', fault), lint: [] };
  }
  const judgement = judgeBeginning(plan, by);
  return { judgement, lint: [...lintPlan(plan), ...lintVerdict(judgement), ...lintReach(plan, judgement, by)] };
}

function checkPlan2(plan: Plan, by: BoundedSolver): Linted {
  const { judgement: outlook, reached } = lookOut({ plan, actions: [], circumstances: undefined }, by);
  const judgement = ofPlan(outlook);
  const lint = [...lintPlan2(plan, by), ...lintVerdict(judgement)];
  const unreached = judgement.verdict === 'satisfied' ? lintReach2(plan, reached, by) : [];
  return { judgement, lint: [...lint, ...unreached], bounds: stepBounds(plan) };
}

/** Steps of which no run that obeys the plan has an action. */
function lintReach2(plan: Plan, reached: ReadonlySet<string>, by: BoundedSolver): readonly Fault[] {
  const found = new Set(reached);
  const asked = [...plan.steps.entries()].filter(([, { stepId }]) => !reached.has(stepId)).slice(0, MAX_REACHED);
  return asked.flatMap(([index, step]) => {
    if (found.has(step.stepId)) return [];
    const steps = plan.steps.with(index, { ...step, min: 1 });
    const options = { plan: { ...plan, steps }, actions: [], circumstances: undefined, maxNodes: MAX_REACH_NODES };
    const outlook = lookOut(options, by);
    for (const stepId of outlook.reached) found.add(stepId);
    if (outlook.judgement.verdict !== 'violated') return [];
    const message = 'no run that obeys the plan has this step';
    return [{ code: 'STEP_UNREACHABLE', path: `/steps/${index}`, message }];
  });
}

/** Writes out the longest run that the plan allows. @throws {DocumentError} if it is too large */
function assertExpandable(plan: Plan): void {
  const builder = new RunBuilder(plan);
  for (const [index, step] of plan.steps.entries()) {
    within(`/steps/${index}`, () => {
      for (let number = 0; number < step.max; number++) addWritten(builder, step, `/steps/${index}/${number}`);
    });
  }
  for (const [index, { expression }] of plan.constraints.entries()) {
    const environment = { names: { var: builder.constants, final: builder.final }, slots: builder.slots };
    within(`/constraints/${index}/expr`, () => expand(expression, environment, builder.spend));
  }
  for (const [index, use] of plan.sheets.entries()) {
    within(`/sheets/${index}`, () => rulesOfUse(use, `/sheets/${index}`, builder));
  }
}

function addWritten(builder: RunBuilder, step: Step, path: string): void {
  const slot = builder.addSlot(step, { path, present: builder.variable(`${path}/present`, BOOL) });
  for (const { expression } of step.where) expand(expression, { names: slot.names }, builder.spend);
  builder.advance(path, [slot]);
}

function within(path: string, write: () => unknown): void {
  try {
    write();
  } catch (error) {
    if (error instanceof DocumentError) throw new DocumentError(error.code, path, error.message);
    throw error;
  }
}

function judgeBeginning(plan: Plan, by: BoundedSolver): Judgement {
  return ofPlan(completionOf({ plan, actions: [] }, by));
}

/** Optional steps that no run can have. */
function lintReach(plan: Plan, { verdict }: Judgement, by: BoundedSolver): readonly Fault[] {
  if (verdict !== 'satisfied') return [];
  return [...plan.steps.entries()]
    .filter(([, { min }]) => min === 0)
    .slice(0, MAX_REACHED)
    .flatMap(([index, step]) => {
      const steps = plan.steps.with(index, { ...step, min: 1 });
      const reached = judgeBeginning({ ...plan, steps }, by).verdict;
      if (reached !== 'vacuous') return [];
      return [
        { code: 'UNREACHABLE_STEP', path: `/steps/${index}`, message: 'no run that obeys the plan has this step' },
      ];
    });
}

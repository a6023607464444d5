import { DocumentError } from '../../exact/document-error.ts';
import type { Question } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { formatValue } from '../language/values.ts';
import type { Plan } from '../plan/plan.ts';
import { PlanError } from '../plan/plan-error.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { Action } from './action.ts';
import { alignmentProblem } from './alignment.ts';
import type { Checked, CheckName, Fault, Preflight, ReadActions } from './checked.ts';
import { constraintsProblem } from './constraints.ts';
import { judge } from './judge.ts';
import { judgeCompletion } from './judge-completion.ts';
import { type Judgement, malformed } from './judgement.ts';
import { readActions, readIntents } from './read-actions.ts';
import { countOf, modelRun } from './run-model.ts';
import { type Slack, slacksOf } from './slack.ts';

/** `sheets`: texts of the sheets that the plan uses. */
interface PlanDocuments {
  readonly plan: unknown;
  readonly sheets?: readonly string[];
}

interface Documents extends PlanDocuments {
  readonly actions: unknown;
}

interface Check {
  readonly check: CheckName;
  readonly by: BoundedSolver;
}

/** Checks proposed actions against the plan: as the beginning of a run (`prefix`) or as a whole run (`complete`). */
export function checkProposal(
  { plan, sheets, actions }: Documents,
  { check, mode, by }: Check & { readonly mode: 'prefix' | 'complete' },
): Checked {
  const isComplete = mode === 'complete';
  return orFault(check === 'plan_alignment' && isComplete ? 'holds' : 'possible', () => {
    const read = readPlan(plan, sheets);
    const intents = readIntents(actions, read);
    if (check === 'plan_alignment')
      return judgeAlignment(read, intents, { question: isComplete ? 'holds' : 'possible', by });
    if (!isComplete) return judgeCompletion(read, intents, by);
    return judge('possible', () => constraintsProblem(read, modelRun(read, intents), 'possible'), by);
  });
}

/** Checks recorded actions against the plan. */
export function checkRun({ plan, sheets, actions }: Documents, { check, by }: Check): Checked {
  return orFault('holds', () => {
    const read = readPlan(plan, sheets);
    const recorded = readActions(actions, read);
    if (check === 'plan_alignment') return judgeAlignment(read, recorded, { question: 'holds', by });
    return judge('holds', () => constraintsProblem(read, modelRun(read, recorded)), by);
  });
}

/** Reads actions before they are recorded: whether they are well-formed, and the identity of each. */
export function readRecorded({ plan, sheets, actions }: Documents): ReadActions {
  try {
    const read = readPlan(plan, sheets);
    return { actions: readActions(actions, read).map(identityOf) };
  } catch (error) {
    return { fault: toFault(error), actions: [] };
  }
}

/** Checks one more action: whether a run that begins with `done` and `action` can still be the plan's and obey its rules. */
export function preflight(
  { plan, sheets, done, action }: PlanDocuments & { readonly done: unknown; readonly action: unknown },
  by: BoundedSolver,
): Preflight {
  let alignment: Judgement | undefined;
  let remaining: Preflight['remaining'] = [];
  let slacks: readonly Slack[] = [];
  const { judgement: constraints, ...rest } = orFault('possible', () => {
    const read = readPlan(plan, sheets);
    const before = readActions(done, read);
    const run = [...before, ...readIntents([action], read, before.length)];
    alignment = judgeAlignment(read, run, { question: 'possible', by });
    remaining = remainingOf(read, run);
    slacks = slacksOf(read, modelRun(read, run));
    return judgeCompletion(read, run, by);
  });
  // If the documents cannot be read, the same judgement says so for both checks.
  return { ...rest, alignment: alignment ?? constraints, constraints, remaining, slacks };
}

function judgeAlignment(
  plan: Plan,
  actions: readonly Action[],
  { question, by }: { readonly question: Question; readonly by: BoundedSolver },
): Judgement {
  return judge(question, () => alignmentProblem(plan, actions, { model: modelRun(plan, actions), question }), by);
}

/** A malformed value in an action is a judgement, invalid input. A malformed plan or list of actions is a fault as well. */
function orFault(question: Question, check: () => Judgement): Checked {
  try {
    return { judgement: check() };
  } catch (error) {
    const fault = toFault(error);
    const judgement = malformed(question, fault);
    return error instanceof DocumentError && fault.path.startsWith('/actions/') ? { judgement } : { fault, judgement };
  }
}

export function toFault(error: unknown): Fault {
  if (!(error instanceof DocumentError || error instanceof PlanError)) throw error;
  const { code, path, message } = error;
  return { code, path, message };
}

function identityOf({ step, response }: Action): { readonly identity?: string } {
  const name = step?.tool.identity;
  const value = name === undefined ? undefined : response?.get(name);
  const type = name === undefined ? undefined : step?.tool.responds.get(name)?.type;
  return value === undefined || type === undefined ? {} : { identity: `${formatValue(value, type)}` };
}

function remainingOf(plan: Plan, actions: readonly Action[]): Preflight['remaining'] {
  return plan.steps
    .map((step) => {
      const done = countOf(actions, step);
      return { step_id: step.stepId, min: Math.max(0, step.min - done), max: Math.max(0, step.max - done) };
    })
    .filter(({ max }) => max > 0);
}

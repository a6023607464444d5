import { LanguageError } from '../../exact/language-error.ts';
import type { Question } from '../decide/verdict.ts';
import { formatValue } from '../language/values.ts';
import type { Plan } from '../plan/plan.ts';
import { PlanError } from '../plan/plan-error.ts';
import { readPlan } from '../plan/read-plan.ts';
import type { Action } from './action.ts';
import { alignmentProblem } from './alignment.ts';
import type { Checked, CheckName, Fault, Preflight, ReadActions } from './checked.ts';
import { constraintsProblem } from './constraints.ts';
import { type Judge, judge } from './judge.ts';
import { judgeCompletion } from './judge-completion.ts';
import { type Judgement, malformed } from './judgement.ts';
import { readActions, readIntents } from './read-actions.ts';
import { countOf, modelRun } from './run-model.ts';
import { type Slack, slacksOf } from './slack.ts';

/** `sheets`: texts of those that the plan uses. */
interface PlanDocuments {
  readonly plan: unknown;
  readonly sheets?: readonly string[];
}

interface Documents extends PlanDocuments {
  readonly actions: unknown;
}

interface Check {
  readonly check: CheckName;
  readonly by: Judge;
}

/** Whether what is meant to be done is the plan's: begun (`prefix`), with more to come, or all there will be. */
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

/** Whether what was recorded is the plan's. */
export function checkRun({ plan, sheets, actions }: Documents, { check, by }: Check): Checked {
  return orFault('holds', () => {
    const read = readPlan(plan, sheets);
    const recorded = readActions(actions, read);
    if (check === 'plan_alignment') return judgeAlignment(read, recorded, { question: 'holds', by });
    return judge('holds', () => constraintsProblem(read, modelRun(read, recorded)), by);
  });
}

/** What is to be known of actions before they are recorded: that they can be read, and what tells them from others. */
export function readRecorded({ plan, sheets, actions }: Documents): ReadActions {
  try {
    const read = readPlan(plan, sheets);
    return { actions: readActions(actions, read).map(identityOf) };
  } catch (error) {
    return { fault: toFault(error), actions: [] };
  }
}

/** Whether a run that begins with what was done, and an action more, can still be the plan's and within its rules. */
export function preflight(
  { plan, sheets, done, action }: PlanDocuments & { readonly done: unknown; readonly action: unknown },
  by: Judge,
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
  return { ...rest, alignment: alignment ?? constraints, constraints, remaining, slacks };
}

function judgeAlignment(
  plan: Plan,
  actions: readonly Action[],
  { question, by }: { readonly question: Question; readonly by: Judge },
): Judgement {
  return judge(question, () => alignmentProblem(plan, actions, { model: modelRun(plan, actions), question }), by);
}

/** A value that is not of its type is invalid input; a document of another shape, or a plan that is none, a fault. */
function orFault(question: Question, check: () => Judgement): Checked {
  try {
    return { judgement: check() };
  } catch (error) {
    const fault = toFault(error);
    const judgement = malformed(question, fault);
    return error instanceof LanguageError && fault.path.startsWith('/actions/') ? { judgement } : { fault, judgement };
  }
}

export function toFault(error: unknown): Fault {
  if (!(error instanceof LanguageError || error instanceof PlanError)) throw error;
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

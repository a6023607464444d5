import { defined } from '../../exact/defined.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { formatValue } from '../../plan/language/values.ts';
import type { Plan } from '../../plan/plan.ts';
import { readPlan } from '../../plan/read/read-plan.ts';
import type { TableText } from '../../plan/read/read-table.ts';
import type { Problem, Question } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import type { Action } from '../run/action.ts';
import { type AlignmentOptions, alignmentProblem } from '../run/alignment.ts';
import { markAttempts } from '../run/attempts.ts';
import type { Checked, CheckName, Fault, Preflight, ReadActions } from '../run/checked.ts';
import { constraintsProblem } from '../run/constraints.ts';
import { readEarlierRuns } from '../run/earlier-runs.ts';
import type { PlannedRun, RunContext } from '../run/encoding-session.ts';
import { casesOf, judgePossible, judgeRecorded } from '../run/judge.ts';
import { type Judgement, malformed } from '../run/judgement.ts';
import { readActions, readIntents } from '../run/read-actions.ts';
import type { Schedule } from '../run/schedules.ts';
import { slacksOf } from '../run/slack.ts';
import { toFault } from '../run/to-fault.ts';
import { judgeCompletion } from '../search/complete-run.ts';
import { allowancesOf } from '../search/continuations.ts';
import { judgeStart, passes } from './judge-start.ts';

/** A plan with the texts that it refers to. `runContext`: what is known about its approval. */
interface PlanDocuments {
  readonly plan: unknown;
  readonly sheets?: readonly string[];
  readonly tools?: readonly string[];
  readonly tables?: readonly TableText[];
  readonly runContext?: RunContext;
  /** A list of the actions of each run that was recorded before. */
  readonly runs?: unknown;
}

interface Documents extends PlanDocuments {
  readonly actions: unknown;
}

const readPlanOf = ({ plan, sheets, tools = [], tables = [] }: PlanDocuments): Plan =>
  readPlan(plan, sheets, { tools, tables });

/** What is known of a run besides its plan and its actions. */
const contextOf = ({ runContext, runs = [] }: PlanDocuments, plan: Plan): RunContext => ({
  ...runContext,
  earlier: readEarlierRuns(runs, plan),
});

interface Check {
  readonly check: CheckName;
  readonly solver: BoundedSolver;
}

/** Checks proposed actions against the plan: as the beginning of a run (`prefix`) or as a whole run (`complete`). */
export function checkProposal(
  documents: Documents,
  { check, mode, solver }: Check & { readonly mode: 'prefix' | 'complete' },
): Checked {
  const isComplete = mode === 'complete';
  return orFault('possible', () => {
    const plan = readPlanOf(documents);
    const runContext = contextOf(documents, plan);
    const run: PlannedRun = { plan, actions: readIntents(documents.actions, plan), runContext };
    if (check === 'plan_alignment') return judgeAlignment(run, { question: 'possible', isComplete }, solver);
    return isComplete ? judgeConstraints(run, 'possible', solver) : judgeCompletion(run, solver);
  });
}

/** Checks recorded actions against the plan. */
export function checkRun(documents: Documents, { check, solver }: Check): Checked {
  return orFault('holds', () => {
    const plan = readPlanOf(documents);
    const runContext = contextOf(documents, plan);
    const run: PlannedRun = { plan, actions: readActions(documents.actions, plan), runContext };
    if (check === 'plan_alignment') return judgeAlignment(run, { question: 'holds', isComplete: true }, solver);
    return judgeConstraints(run, 'holds', solver);
  });
}

/** Reads actions before they are recorded: whether they are well-formed, and the identity of each. */
export function readRecorded(documents: Documents): ReadActions {
  try {
    const plan = readPlanOf(documents);
    const faults = new Map<number, Fault>();
    const actions = readActions(documents.actions, plan, (index, error) => faults.set(index, toFault(error)));
    return { actions: actions.map((action, index) => ({ ...identityOf(action), ...faultAt(faults, index) })) };
  } catch (error) {
    return { fault: toFault(error), actions: [] };
  }
}

interface NextAction extends PlanDocuments {
  readonly done: unknown;
  readonly action: unknown;
  /** The service's clock. Without it, the action may start at any time. */
  readonly now?: string;
}

/** Checks one more action: whether a run that begins with `done` and `action` can still be the plan's and obey its rules. */
export function preflight({ done, action, now, ...documents }: NextAction, solver: BoundedSolver): Preflight {
  let answer: Omit<Preflight, 'constraints'> | undefined;
  const { judgement: constraints, ...rest } = orFault('possible', () => {
    const plan = readPlanOf(documents);
    const before = readActions(done, plan);
    const actions = markAttempts([...before, ...readIntents([action], plan, before.length)], plan);
    const run: PlannedRun = { plan, actions, runContext: contextOf(documents, plan) };
    const { constraints: judgement, ...start } = judgeStartInEachCase(run, now, solver);
    const attempts = actions.flatMap(({ isAttempt }, index) => (isAttempt ? [index] : []));
    answer = { ...start, remaining: remainingOf(plan, actions), slacks: slacksOf(run), attempts };
    return judgement;
  });
  // If the documents cannot be read, the same judgement says so for both checks.
  return { alignment: constraints, remaining: [], slacks: [], attempts: [], ...answer, ...rest, constraints };
}

/**
 * Acts of no certain outcome may all have taken effect, or none: the action must pass in both cases. Only a recorded run is
 * judged in all cases, because what some of them did can still be found out.
 */
function judgeStartInEachCase(run: PlannedRun, now: string | undefined, solver: BoundedSolver) {
  const cases = casesOf(run).map((each) => judgeStart(each, now, solver));
  return cases.find((start) => !passes(start) || start.passesFrom !== undefined) ?? defined(cases[0]);
}

/**
 * A whole proposal is asked about as `possible`: conditions can depend on times, which are open until the actions are done.
 */
const judgeAlignment = (
  run: PlannedRun,
  asked: Pick<AlignmentOptions, 'question' | 'isComplete'>,
  solver: BoundedSolver,
): Judgement => judgeAs(asked.question, run, (known, assigned) => alignmentProblem(known, asked, assigned), solver);

const judgeConstraints = (run: PlannedRun, question: Question, solver: BoundedSolver): Judgement =>
  judgeAs(question, run, (known, assigned) => constraintsProblem(known, question, assigned), solver);

const judgeAs = (
  question: Question,
  run: PlannedRun,
  build: (run: PlannedRun, assigned?: Schedule) => Problem,
  solver: BoundedSolver,
): Judgement =>
  question === 'possible'
    ? judgePossible(run, (assigned) => build(run, assigned), solver)
    : judgeRecorded(run, build, solver);

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

const faultAt = (faults: ReadonlyMap<number, Fault>, index: number) => {
  const fault = faults.get(index);
  return fault && { fault };
};

function identityOf({ step, response, isAttempt }: Action): ReadActions['actions'][number] {
  const name = step?.tool.identity;
  const value = name === undefined ? undefined : response?.get(name);
  const type = name === undefined ? undefined : step?.tool.responds.get(name)?.type;
  return {
    ...(isAttempt ? { isAttempt } : {}),
    ...(value === undefined || type === undefined ? {} : { identity: `${formatValue(value, type)}` }),
  };
}

function remainingOf(plan: Plan, actions: readonly Action[]): Preflight['remaining'] {
  return allowancesOf(plan, actions)
    .map(({ step, done, left }) => ({ step_id: step.stepId, min: Math.max(0, step.min - done), max: left }))
    .filter(({ max }) => max > 0);
}

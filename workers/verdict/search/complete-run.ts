/*
 * The search. It is asked whether a run that has begun can still be completed. It looks from two sides, until one answers:
 *
 * - `continuations.ts` lists ways to go on: which steps follow, how often and in which order. `try-continuation.ts` writes the
 *   whole run with open arguments, and the judge looks for values. A run that is found is checked by the evaluator: satisfied.
 * - `abstraction.ts` describes every run that may follow by a few numbers: how many actions of each step follow, the sum of each
 *   number over them, the state at the end. If no such numbers obey the rules, no run does: violated.
 *
 * Example: a plan looks up an order, then pays in one or two payments above zero. The state `refundable` begins at 80.00, each
 * payment subtracts its amount, and the rule `whole` says that 0.00 is left.
 *
 * After a payment of 30.00, the first continuation, no further action, breaks `whole`. The abstraction has count ≤ 1, a sum of
 * the payments that follow, and final = 50.00 − sum: nothing contradicts final = 0.00. The next continuation has one payment
 * with an open amount, the solver finds 50.00, and the run is a witness.
 *
 * After a payment of 90.00, the first continuation breaks `whole` as well. In the abstraction, final = −10.00 − sum and sum ≥ 0,
 * so that final = 0.00 has no solution. The answer is violated, with the core `/constraints/whole`.
 */
import { readsTimes, usesTimes } from '../../plan/expressions.ts';
import { createNodeBudget, isTooLarge } from '../../plan/language/expand.ts';
import type { Plan } from '../../plan/plan.ts';
import type { Decision, Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { knownValue } from '../elaborate/kleene.ts';
import { constraintsProblem } from '../run/constraints.ts';
import type { PlannedRun } from '../run/encoding-session.ts';
import { judge } from '../run/judge.ts';
import { type Judgement, toJudgement } from '../run/judgement.ts';
import { placed } from '../run/placed-action.ts';
import { type Schedule, schedulesOf } from '../run/schedules.ts';
import { abstractionProblem } from './abstraction.ts';
import { allowancesOf, type Continuation, type Counts, continuationsOf, type StepAllowance } from './continuations.ts';
import { isLasting } from './lasting.ts';
import { countKey } from './remaining-actions.ts';
import { type Attempt, type AttemptOptions, type Beginning, tryContinuation } from './try-continuation.ts';

/** Ways of completing a run that are tried, and how many of them may be too hard for the solver. */
const MAX_ATTEMPTS = 48;
const MAX_UNKNOWN = 2;
/** One attempt is one of many, so it gets a part of the steps that a question may take. */
const ATTEMPT_SHARE = 2;
/** Further actions whose arguments the solver may choose: comparing all pairs of many open texts takes long. */
const MAX_OPEN_ACTIONS = 8;

/** Nodes of all attempts together: enough for ten completions of 1,000 actions. */
const MAX_ATTEMPT_NODES = 4_000_000;
const NOTHING_TRIED = { broken: [], isUnknown: true, rlimitUsed: 0 } satisfies Attempt;
const NONE: ReadonlySet<string> = new Set();
const OPEN: Schedule = new Map();

export interface CompletionOptions extends PlannedRun {
  /** Nodes that all attempts together may take. */
  readonly maxNodes?: number;
}

/**
 * Judges whether a run that begins with these actions can be completed within the rules of its plan. Two answers,
 * each of which is certain in one direction:
 *
 * - A witness: a completed run that obeys every rule. The evaluator checks it. `satisfied`.
 * - An abstraction: a few numbers that describe all runs that may follow, and more. If not even these can obey the rules, no run
 *   can. `violated`, with the rules that contradict each other.
 *
 * If there is neither, the judgement is `indeterminate`, and its reason names a rule that was too hard.
 */
export function judgeCompletion(options: CompletionOptions, solver: BoundedSolver): Judgement {
  return searchCompletion(options, solver).judgement;
}

/** `reached`: steps that the run of the witness has. `problem`: what its open values solve. */
export interface CompletionSearch {
  readonly judgement: Judgement;
  readonly reached: ReadonlySet<string>;
  readonly problem?: Problem;
}

export function searchCompletion(
  { plan, actions, runContext, maxNodes = MAX_ATTEMPT_NODES }: CompletionOptions,
  solver: BoundedSolver,
): CompletionSearch {
  const beginning: Beginning = { plan, done: placed(actions), runContext };
  const remaining = allowancesOf(plan, actions);
  const attempts: Attempt[] = [];
  const spend = createNodeBudget(maxNodes);
  let rlimitUsed = 0;
  let abstraction: Judgement | undefined;
  let counts: Counts | undefined;
  const judgeAbstraction = () =>
    judge('possible', () => abstractionProblem(beginning, remaining), solver, {
      see: (decision) => {
        counts = countsOf(decision, remaining);
      },
    });
  for (const continuation of continuationsOf(plan, remaining, () => counts)) {
    const limited = { ...solver, rlimit: Math.max(1, Math.floor(solver.rlimit / ATTEMPT_SHARE)) };
    const attempt = attemptOf(beginning, continuation, { solver: limited, spend });
    if (attempt.decision !== undefined) {
      const reached = new Set(
        [...actions, ...continuation.actions.map(({ step }) => step)].map(({ stepId }) => stepId),
      );
      return { judgement: toJudgement(attempt.decision), reached, problem: attempt.problem };
    }
    attempts.push(attempt);
    rlimitUsed += attempt.rlimitUsed;
    // Most plans end with the first continuation. One that does not may be impossible to complete.
    if (attempts.length === 1) {
      const broken = brokenForGood({ plan, actions, runContext }, solver);
      if (broken !== undefined) return { judgement: broken, reached: NONE };
    }
    abstraction ??= judgeAbstraction();
    if (abstraction.verdict === 'violated' || abstraction.verdict === 'engine_error')
      return { judgement: abstraction, reached: NONE };
    const unknown = attempts.filter((one) => one.decision === undefined && one.isUnknown).length;
    if (attempts.length >= MAX_ATTEMPTS || unknown > MAX_UNKNOWN || rlimitUsed > 2 * solver.rlimit) break;
  }
  abstraction ??= judgeAbstraction();
  const isDecided = abstraction.verdict === 'violated' || abstraction.verdict === 'engine_error';
  return { judgement: isDecided ? abstraction : undecided(attempts, abstraction), reached: NONE };
}

/** Rules that are broken by what was done, whatever follows. Undefined if there are none. */
function brokenForGood({ plan, actions, runContext }: PlannedRun, solver: BoundedSolver): Judgement | undefined {
  const constraints = plan.constraints.filter(({ expression }) => isLasting(expression));
  const runs = plan.runs.filter(({ expression }) => isLasting(expression));
  if (constraints.length + runs.length === 0) return undefined;
  const ids = new Set([...constraints.map(({ id }) => `/constraints/${id}`), ...runs.map(({ id }) => `/runs/${id}`)]);
  const lasting = { ...plan, constraints, runs };
  const build = () => {
    const problem = constraintsProblem({ plan: lasting, actions, runContext }, 'possible');
    return { ...problem, rules: problem.rules.filter(({ id, term }) => ids.has(id) && knownValue(term) === false) };
  };
  const judgement = judge('possible', build, solver);
  return judgement.verdict === 'violated' ? judgement : undefined;
}

/** How often each step follows in a solution of the abstraction. */
function countsOf(decision: Decision, remaining: readonly StepAllowance[]): Counts | undefined {
  const witness = 'witness' in decision ? decision.witness : undefined;
  if (witness === undefined) return undefined;
  return new Map(
    remaining.flatMap(({ step: { stepId } }) => {
      const count = Number(witness.get(countKey(stepId)));
      return Number.isSafeInteger(count) ? [[stepId, count] as const] : [];
    }),
  );
}

function attemptOf(
  beginning: Beginning,
  continuation: Continuation,
  limits: Pick<AttemptOptions, 'solver' | 'spend'>,
): Attempt {
  // The variants that leave least open come first.
  const areMany = continuation.actions.length > MAX_OPEN_ACTIONS ? [true, false] : [false];
  try {
    let first: Attempt | undefined;
    for (const schedule of schedulesFor(beginning, continuation)) {
      // Another time helps only where a rule about times is broken.
      if (schedule !== OPEN && first !== undefined && !first.broken?.some((id) => isTimed(id, beginning.plan)))
        continue;
      for (const many of areMany) {
        const attempt = tryContinuation(beginning, continuation, { ...limits, schedule, areMany: many });
        if (attempt.decision !== undefined) return attempt;
        first ??= attempt;
      }
    }
    return first ?? NOTHING_TRIED;
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    return { ...NOTHING_TRIED, broken: error.path === '' ? [] : [error.path] };
  }
}

/** If the next action may wait, its start stays open: the earliest one is asked for. */
function* schedulesFor(beginning: Beginning, { actions }: Continuation): Generator<Schedule> {
  const { plan, done, runContext } = beginning;
  const readsAny = usesTimes(plan);
  if (runContext?.start?.until === undefined || !readsAny) {
    for (const schedule of schedulesOf(beginning, [...done, ...actions])) {
      yield schedule;
      if (!readsAny) return;
    }
  }
  yield OPEN;
}

const isTimed = (id: string, plan: Plan): boolean =>
  plan.constraints.some((rule) => id === `/constraints/${rule.id}` && readsTimes(rule.expression)) ||
  plan.steps.some(({ stepId, where }) =>
    where.some(
      (rule) =>
        readsTimes(rule.expression) &&
        (id === `/completion/${stepId}/where/${rule.id}` ||
          (id.startsWith('/actions/') && id.endsWith(`/where/${rule.id}`))),
    ),
  );

/** Names the rules that the most promising attempt could not obey. */
function undecided(attempts: readonly Attempt[], { checks }: Judgement): Judgement {
  const broken = attempts.flatMap(({ broken: ids }) =>
    ids === undefined || ids.length === 0 ? [] : [[...new Set(ids)]],
  );
  const [fewest = []] = broken.toSorted((a, b) => a.length - b.length);
  const path = fewest[0] ?? '';
  const what = fewest.length === 0 ? 'the rules together' : fewest.slice(0, 3).join(', ');
  const why = attempts.flatMap((attempt) => attempt.why ?? [])[0];
  const message = `no run was found that obeys ${what}${why === undefined ? '' : ` (${why})`}, and none was ruled out: let a table or an equation give the arguments, bound them, or allow fewer actions`;
  return {
    verdict: 'indeterminate',
    question: 'possible',
    reasons: [{ code: 'SOLVER_GAVE_UP', path, message }],
    core: [],
    engine: 'none',
    checks,
  };
}

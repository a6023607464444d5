import { createNodeBudget, type SpendNodes } from '../../plan/language/expand.ts';
import type { Plan } from '../../plan/plan.ts';
import { decide } from '../decide/decide.ts';
import type { Decision, Formula, Problem } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { knownValue } from '../elaborate/kleene.ts';
import { rulesAtEnd, rulesOfAction } from '../run/constraints.ts';
import { MAX_NODES, type RunContext } from '../run/encoding-session.ts';
import { type PlacedAction, placed } from '../run/placed-action.ts';
import { ruleOf } from '../run/rule-of.ts';
import type { Schedule } from '../run/schedules.ts';
import { toProblem, valuesIn, withoutKnown } from '../run/to-problem.ts';
import { type TraceOptions, traceRun } from '../run/trace.ts';
import { createChooser } from './choose-arguments.ts';
import type { Continuation } from './continuations.ts';

export interface Beginning {
  readonly plan: Plan;
  readonly done: readonly PlacedAction[];
  readonly runContext: RunContext | undefined;
}

/** What came of trying to complete a run in one way. `broken`: rules that this way cannot obey. */
export type Attempt =
  | { readonly decision: Decision; readonly problem: Problem; readonly broken?: undefined; readonly why?: undefined }
  | {
      readonly decision?: undefined;
      readonly broken: readonly string[];
      readonly isUnknown: boolean;
      /** Why it is unknown, if that is about a rule. */
      readonly why?: string;
      /** The steps that the solver took. */
      readonly rlimitUsed: number;
    };

export interface AttemptOptions {
  readonly solver: BoundedSolver;
  /** Times of the actions that follow. Empty: the solver looks for them. */
  readonly schedule: Schedule;
  /** Whether so many actions follow that their arguments are not left to the solver. */
  readonly areMany: boolean;
  /** The nodes that all attempts together may take. */
  readonly spend: SpendNodes;
}

/**
 * Tries to complete a run with these actions. Rules that are false already need no solver; values that are open are its
 * to find. What it finds counts only if the evaluator finds every rule true on the completed run.
 */
export function tryContinuation(
  beginning: Beginning,
  { actions, order }: Continuation,
  { solver, schedule, areMany, spend }: AttemptOptions,
): Attempt {
  const { plan, done, runContext } = beginning;
  const all = [...done, ...actions];
  const chosen: PlacedAction[] = [];
  const choose = createChooser(plan, [...placed(runContext?.earlier?.flat() ?? []), ...done], { order, areMany });
  const whole = completed(plan, all, {
    runContext,
    assigned: schedule,
    spend,
    choose(action, before) {
      const args = choose(action, before);
      chosen.push({ ...action, args });
      return args;
    },
  });
  const broken = whole.rules.filter(({ term }) => knownValue(term) === false).map(({ id }) => id);
  if (broken.length > 0) return { broken, isUnknown: false, rlimitUsed: 0 };
  const problem = withoutKnown(whole);
  const decision = decide(problem, solver);
  if (decision.verdict === 'engine_error') return { decision, problem };
  if (decision.verdict !== 'satisfied') {
    const core = 'core' in decision ? decision.core : [];
    const rlimitUsed = decision.checks.reduce((sum, check) => sum + check.rlimitUsed, 0);
    if (decision.verdict !== 'indeterminate') return { broken: core, isUnknown: false, rlimitUsed };
    const { path, reason } = decision;
    return { broken: [], isUnknown: true, rlimitUsed, ...(path !== undefined && { broken: [path], why: reason }) };
  }
  const assigned = new Map([...schedule, ...valuesIn(decision.witness ?? new Map(), whole)]);
  const own = createNodeBudget(MAX_NODES);
  const again = completed(plan, [...done, ...chosen], {
    runContext,
    assigned,
    // A run that is too large for a verification is no witness.
    spend(nodes) {
      own(nodes);
      spend(nodes);
    },
  });
  const untrue = [...again.facts, ...again.rules].find(({ term }) => knownValue(term) !== true);
  if (untrue === undefined) return { decision, problem };
  const reason = `the completed run breaks ${untrue.id}`;
  return { decision: { verdict: 'engine_error', reason, question: 'possible', checks: decision.checks }, problem };
}

/** The rules of a completed run, without those of actions that were done: alignment judges them. */
function completed(plan: Plan, actions: readonly PlacedAction[], options: TraceOptions): Problem {
  const rules: Formula[] = [];
  const trace = traceRun(plan, actions, {
    ...options,
    visit(action, before) {
      rules.push(...rulesOfAction(plan, action, before));
      if (action.index !== undefined) return;
      for (const { id, expression } of action.step.where) {
        rules.push(ruleOf(`/completion/${action.step.stepId}/where/${id}`, expression, before));
      }
    },
  });
  rules.push(...rulesAtEnd(plan, trace), ...trace.bounds);
  return toProblem(trace.session, { question: 'possible', rules, asks: 'values' });
}

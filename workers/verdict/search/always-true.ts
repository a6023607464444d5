import type { Finding } from '../../plan/finding.ts';
import type { Expression } from '../../plan/language/terms.ts';
import { OUTCOME } from '../../plan/language/types.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import { decide } from '../decide/decide.ts';
import type { Formula } from '../decide/problem.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { definitely } from '../elaborate/elaborate.ts';
import { not } from '../elaborate/kleene.ts';
import type { Scope } from '../elaborate/scope.ts';
import { toProblem } from '../run/to-problem.ts';
import { abstractionOf } from './abstraction.ts';
import { conditionsOf } from './conditions.ts';
import { allowancesOf } from './continuations.ts';
import { isGuessed } from './guess.ts';
import { isShort } from './witnesses.ts';

/** Rules that are asked about: an abstraction is made for each, in the size of the plan. */
const MAX_RULES = 256;
/** Steps of the solver for each rule, and for all. */
const MAX_STEPS = 60_000;
const MAX_STEPS_IN_ALL = 1_500_000;

/**
 * Rules that no run of the plan can break, whatever its actions are. Their authors probably meant something else. Rules with
 * look-ups are not asked about: they break where there is no row.
 */
export function rulesAlwaysTrue(plan: Plan, solver: BoundedSolver): readonly Finding[] {
  // A rule must not be a premise of its own check.
  const conditions = plan.steps.flatMap((step, index) =>
    step.where.map(({ expression }, rule) => {
      const others = { ...step, where: step.where.toSpliced(rule, 1) };
      return { path: `/steps/${index}/where/${rule}`, name: 'the rule', expression, step: others, plan };
    }),
  );
  const rules = plan.constraints.map(({ id, expression }, index) => {
    const rule = { path: `/constraints/${index}`, name: id === undefined ? 'the rule' : `the rule ${id}` };
    const others = { ...plan, constraints: plan.constraints.toSpliced(index, 1) };
    const body = expression.op === 'all' && expression.range.kind === 'step' ? expression : undefined;
    const step = plan.steps.find(({ stepId }) => stepId === body?.range.name);
    return body?.body === undefined || step === undefined
      ? { ...rule, expression, step: undefined, plan: others }
      : { ...rule, expression: body.body, step, binder: body.binder, plan: others };
  });
  let left = MAX_STEPS_IN_ALL;
  return [...rules, ...conditions]
    .filter(({ expression }) => !mayBeUndefined(expression))
    .slice(0, MAX_RULES)
    .flatMap((rule) => {
      const { isTrue, rlimitUsed } = askRule(rule, { ...solver, rlimit: Math.min(solver.rlimit, left, MAX_STEPS) });
      left = Math.max(1, left - rlimitUsed);
      const message = `no run can break ${rule.name}: it adds nothing to the rest of the plan`;
      return isTrue ? [{ code: 'RULE_ALWAYS_TRUE', path: rule.path, message }] : [];
    });
}

interface AskedRule {
  readonly plan: Plan;
  readonly expression: Expression;
  /** The step of whose actions each must obey the rule. Undefined for a rule about the whole run. */
  readonly step: Step | undefined;
  /** The name of the action in a rule about the whole run. */
  readonly binder?: string;
}

function askRule({ plan, expression, step, binder }: AskedRule, solver: BoundedSolver) {
  const { end, actionOf, session } = abstractionOf({ plan, done: [], runContext: undefined }, allowancesOf(plan, []));
  let scope: Scope = end;
  let conditions: readonly Formula[] = [];
  if (step !== undefined) {
    const one = actionOf(step);
    const { arg = new Map(), resp = new Map() } = one.names;
    const times = one.own ?? { started: session.run.approvedAt, ended: session.run.approvedAt };
    const outcome = session.open('/outcome', OUTCOME);
    // Others may come before it: it is none of those that were done.
    const element = { kind: 'action', position: -1, arg, resp, ...times, span: undefined, outcome } as const;
    scope = binder === undefined ? one : { ...end, bound: new Map([[binder, element]]) };
    // What a condition says that others imply is harmless. An approval that no action needs misleads.
    conditions = (asksForApproval(expression) ? conditionsOf(step, plan) : [])
      .filter((each) => isShort(each, plan))
      .map((each, index) => ({ id: `/where/${index}`, term: definitely(each, one) }));
  }
  const rule = { id: 'broken', term: not(definitely(expression, scope)) };
  const problem = toProblem(session, { question: 'possible', rules: [rule, ...conditions] });
  if (isGuessed(problem)) return { isTrue: false, rlimitUsed: 0 };
  const { verdict, checks } = decide(problem, solver);
  return { isTrue: verdict === 'violated', rlimitUsed: checks.reduce((sum, check) => sum + check.rlimitUsed, 0) };
}

function asksForApproval(expression: Expression): boolean {
  let does = false;
  walkExpressions([expression], (node) => {
    if (node.op === 'approved_by' || (node.op === 'run' && node.fact === 'approvals')) does = true;
  });
  return does;
}

function mayBeUndefined(expression: Expression): boolean {
  let found = false;
  walkExpressions([expression], (node) => {
    if (node.op === 'look' || node.op === 'least' || node.op === 'greatest') found = true;
  });
  return found;
}

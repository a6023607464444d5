import { decide } from '../decide/decide.ts';
import type { BoundedSolver } from '../decide/smt-solver.ts';
import { definitely } from '../elaborate/elaborate.ts';
import { not } from '../elaborate/kleene.ts';
import type { Situation } from '../elaborate/situation.ts';
import type { Expression } from '../language/terms.ts';
import { walkExpressions } from '../language/walk.ts';
import type { Plan, Step } from '../plan/plan.ts';
import { toProblem } from '../run/to-problem.ts';
import { remainingOf } from './continuations.ts';
import { outlineOf } from './outline.ts';

/** Rules that are asked about, and the steps of the solver for each. */
const MAX_RULES = 24;
const MAX_STEPS = 60_000;

/**
 * JSON pointers of rules that no run of the plan can break, whatever its actions are. Their authors probably meant something
 * else. Rules with look-ups are not asked about: they break where there is no row.
 */
export function rulesAlwaysTrue(plan: Plan, by: BoundedSolver): readonly string[] {
  const conditions = plan.steps.flatMap((step, index) =>
    step.where.map(({ expression }, rule) => ({ path: `/steps/${index}/where/${rule}`, expression, step, plan })),
  );
  const rules = plan.constraints.map(({ expression }, index) => {
    const path = `/constraints/${index}`;
    // A rule must not be a premise of its own check.
    const others = { ...plan, constraints: plan.constraints.toSpliced(index, 1) };
    const body = expression.op === 'all' && expression.range.kind === 'step' ? expression : undefined;
    const step = plan.steps.find(({ stepId }) => stepId === body?.range.name);
    return body?.body === undefined || step === undefined
      ? { path, expression, step: undefined, plan: others }
      : { path, expression: body.body, step, binder: body.binder, plan: others };
  });
  return [...rules, ...conditions]
    .filter(({ expression }) => !mayBeUndefined(expression))
    .slice(0, MAX_RULES)
    .flatMap((rule) => (isAlwaysTrue(rule, by) ? [rule.path] : []));
}

interface AskedRule {
  readonly plan: Plan;
  readonly expression: Expression;
  /** The step of whose actions each must obey the rule. Undefined for a rule about the whole run. */
  readonly step: Step | undefined;
  /** The name of the action in a rule about the whole run. */
  readonly binder?: string;
}

function isAlwaysTrue({ plan, expression, step, binder }: AskedRule, by: BoundedSolver): boolean {
  const { end, actionOf, session } = outlineOf({ plan, done: [], circumstances: undefined }, remainingOf(plan, []));
  let situation: Situation = end;
  if (step !== undefined) {
    const one = actionOf(step);
    const { arg = new Map(), resp = new Map() } = one.names;
    const times = one.own ?? { started: session.run.approvedAt, ended: session.run.approvedAt };
    const element = { kind: 'action', position: 0, arg, resp, ...times, span: undefined } as const;
    situation = binder === undefined ? one : { ...end, bound: new Map([[binder, element]]) };
  }
  const rule = { id: 'broken', term: not(definitely(expression, situation)) };
  const problem = toProblem(session, { question: 'possible', rules: [rule] });
  return decide(problem, { ...by, rlimit: Math.min(by.rlimit, MAX_STEPS) }).verdict === 'violated';
}

function mayBeUndefined(expression: Expression): boolean {
  let found = false;
  walkExpressions([expression], (node) => {
    if (node.op === 'look' || node.op === 'least' || node.op === 'greatest') found = true;
  });
  return found;
}

import type { Formula, Problem, Question } from '../decide/problem.ts';
import { expand } from '../language/expand.ts';
import { literal, type Term, variable } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { Action } from './action.ts';
import type { RunModel } from './run-builder.ts';
import { withoutUnasked } from './without-unasked.ts';

const COUNT: ValueType = { type: 'int', min: 0n, max: 256n };
const NAME: ValueType = { type: 'string', max: 160 };

/**
 * The problem whether the actions are those of the plan: each is a step of the plan with the step's tool, meets its
 * conditions, comes after the steps that it waits for, and occurs neither too rarely nor too often. What an action says
 * about itself is a fact that the rules are checked against. With `possible`, further actions may follow, so the least
 * number of actions of a step is no rule.
 *
 * Ids of rules: `/actions/0/step`, `/actions/0/tool`, `/actions/0/where/order`, `/actions/1/after/look`,
 * `/steps/pay/max`, `/steps/pay/min`.
 */
export function alignmentProblem(
  plan: Plan,
  actions: readonly Action[],
  { model, question }: { readonly model: RunModel; readonly question: Question },
): Problem {
  const variables = new Map(model.variables);
  const values = new Map(model.values);
  const rules: Formula[] = [];
  const fact = (key: string, type: ValueType, value: Value): Term => {
    variables.set(key, type);
    values.set(key, value);
    return variable(key);
  };
  const rule = (id: string, term: Term) => rules.push({ id, term });

  for (const [index, { stepId, tool, step }] of actions.entries()) {
    const path = `/actions/${index}`;
    const claimed = fact(`${path}/step_id`, NAME, stepId);
    rule(`${path}/step`, { op: 'or', args: plan.steps.map((each) => equals(claimed, each.stepId)) });
    if (step === undefined) continue;
    rule(`${path}/tool`, equals(fact(`${path}/tool`, NAME, tool), step.tool.ref));
    for (const { stepId: before, atLeast: wanted } of step.after) {
      const done = actions.slice(0, index).filter((other) => other.stepId === before).length;
      const key = `${path}/after/${before}`;
      rule(key, atLeast(fact(`${key}/done`, COUNT, BigInt(done)), wanted));
    }
  }
  const checked = new Map<Step, number>();
  for (const { index, plannedStep, names } of model.slots) {
    if (index === undefined) continue;
    // An action beyond its step's max breaks that rule already. A plan's size was not checked for so many conditions.
    const number = (checked.get(plannedStep) ?? 0) + 1;
    checked.set(plannedStep, number);
    if (number > plannedStep.max) continue;
    for (const { id, expression } of plannedStep.where) {
      rule(`/actions/${index}/where/${id}`, expand(expression, { names }, model.spend));
    }
  }
  for (const { stepId, min, max } of plan.steps) {
    const done = actions.filter((action) => action.stepId === stepId).length;
    const count = fact(`/steps/${stepId}/count`, COUNT, BigInt(done));
    rule(`/steps/${stepId}/max`, { op: '<=', left: count, right: literal(BigInt(max)) });
    if (question === 'holds') rule(`/steps/${stepId}/min`, atLeast(count, min));
  }
  return withoutUnasked({ question, variables, values, facts: model.facts, rules });
}

function equals(left: Term, value: string): Term {
  return { op: '=', left, right: literal(value) };
}

function atLeast(count: Term, least: number): Term {
  return { op: '<=', left: literal(BigInt(least)), right: count };
}

import { DocumentError } from '../../exact/document-error.ts';
import { formatNumber } from '../../exact/numbers.ts';
import { evaluate } from '../language/evaluate.ts';
import { createNodeBudget, expand } from '../language/expand.ts';
import type { NumberExpression } from '../language/parse-expression.ts';
import type { Plan } from '../plan/plan.ts';
import { MAX_RUN_NODES, type RunModel } from './run-builder.ts';

export interface Slack {
  readonly id: string;
  /** Null if the rule does not compare two numbers, or depends on a response that is not known yet. */
  readonly slack: string | null;
}

/** How far each rule of the plan is from being broken at the end of the modelled run. */
export function slacksOf(plan: Plan, model: RunModel): readonly Slack[] {
  return plan.constraints.map(({ id, slack }) => ({
    id,
    slack: slack === undefined ? null : formatSlack(slack, model),
  }));
}

function formatSlack({ expression, scale }: NumberExpression, { constants, final, slots, values }: RunModel) {
  try {
    const term = expand(expression, { names: { var: constants, final }, slots }, createNodeBudget(MAX_RUN_NODES));
    const value = evaluate(term, values);
    return typeof value === 'bigint' ? formatNumber({ numerator: value, scale }) : null;
  } catch (error) {
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

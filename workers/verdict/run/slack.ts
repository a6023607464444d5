import { DocumentError } from '../../exact/document-error.ts';
import { formatNumber } from '../../exact/numbers.ts';
import type { NumberExpression } from '../../plan/language/parse-expression.ts';
import type { Constraint } from '../../plan/plan.ts';
import { quantityOf } from '../elaborate/elaborate.ts';
import { knownOutcome } from '../elaborate/kleene.ts';
import type { Scope } from '../elaborate/scope.ts';
import { overRuns } from './earlier-runs.ts';
import type { PlannedRun } from './encoding-session.ts';
import { placed } from './placed-action.ts';
import { traceRun } from './trace.ts';

export interface Slack {
  readonly id: string;
  /** Null if the rule does not compare two numbers, or depends on a response that is not known yet. */
  readonly slack: string | null;
}

/** How far each rule of a plan is from being broken at the end of the run. */
export function slacksOf({ plan, actions, runContext }: PlannedRun): readonly Slack[] {
  const { end } = traceRun(plan, placed(actions), { runContext });
  const slackOf =
    (scope: Scope) =>
    ({ id, slack }: Constraint): Slack => ({ id, slack: slack === undefined ? null : format(slack, scope) });
  return [...plan.constraints.map(slackOf(end)), ...plan.runs.map(slackOf(overRuns(end)))];
}

function format({ expression, scale }: NumberExpression, end: Scope): string | null {
  try {
    const value = knownOutcome(quantityOf(expression, end));
    return typeof value === 'bigint' ? formatNumber({ numerator: value, scale }) : null;
  } catch (error) {
    // The rule is too large: the judgement says so.
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

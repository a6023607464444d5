import { DocumentError } from '../../exact/document-error.ts';
import { formatNumber } from '../../exact/numbers.ts';
import { quantityOf } from '../elaborate/elaborate.ts';
import { knownOutcome } from '../elaborate/kleene.ts';
import type { Situation } from '../elaborate/situation.ts';
import type { NumberExpression } from '../language/parse-expression.ts';
import type { Plan } from '../plan/plan.ts';
import type { Slack } from '../run/slack.ts';
import { follow } from './course.ts';
import type { PlacedAction } from './placed-action.ts';
import type { RunCircumstances } from './session.ts';

/** How far each rule of a plan of format 2 is from being broken at the end of the run. */
export function slacksOf2(
  plan: Plan,
  actions: readonly PlacedAction[],
  circumstances: RunCircumstances | undefined,
): readonly Slack[] {
  const { end } = follow(plan, actions, { circumstances });
  return plan.constraints.map(({ id, slack }) => ({ id, slack: slack === undefined ? null : format(slack, end) }));
}

function format({ expression, scale }: NumberExpression, end: Situation): string | null {
  try {
    const value = knownOutcome(quantityOf(expression, end));
    return typeof value === 'bigint' ? formatNumber({ numerator: value, scale }) : null;
  } catch (error) {
    // The rule is too large: the judgement says so.
    if (error instanceof DocumentError) return null;
    throw error;
  }
}

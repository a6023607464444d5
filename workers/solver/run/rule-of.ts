import { DocumentError } from '../../exact/document-error.ts';
import type { Formula } from '../decide/problem.ts';
import { definitely } from '../elaborate/elaborate.ts';
import type { Situation } from '../elaborate/situation.ts';
import type { Expression } from '../language/terms.ts';

/** The rule that an expression is true. @throws {DocumentError} TOO_MANY_NODES, TOO_DEEP at the id of the rule */
export function ruleOf(id: string, expression: Expression, situation: Situation): Formula {
  try {
    return { id, term: definitely(expression, situation) };
  } catch (error) {
    if (!(error instanceof DocumentError && error.path === '')) throw error;
    throw new DocumentError(error.code, id, error.message);
  }
}

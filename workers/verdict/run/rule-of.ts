import { MAX_DIGITS } from '../../exact/bounds.ts';
import { DocumentError } from '../../exact/document-error.ts';
import { stepsIn } from '../../plan/expressions.ts';
import { isElementPresence, spokenPart } from '../../plan/language/parts.ts';
import type { Expression } from '../../plan/language/terms.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Formula } from '../decide/problem.ts';
import { elaborate } from '../elaborate/elaborate.ts';
import { asTruth, isNeverDefined, knownValue, type Outcome } from '../elaborate/kleene.ts';
import { type Scope, snapshotOf } from '../elaborate/scope.ts';
import { idOf, whyBroken } from '../elaborate/why-broken.ts';

/** The rule that an expression is true. @throws {DocumentError} TOO_MANY_NODES, TOO_DEEP at the id of the rule */
export function ruleOf(id: string, expression: Expression, scope: Scope): Formula {
  try {
    const outcome = elaborate(expression, scope);
    const term = asTruth(outcome).isTrue;
    // A broken rule is explained later, when the state has changed.
    const broken = knownValue(term) === false ? snapshotOf(scope) : scope;
    return { id, term, fault: () => faultOf(expression, broken, outcome) };
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new DocumentError(error.code, id, error.message);
  }
}

function faultOf(expression: Expression, scope: Scope, outcome: Outcome): string | undefined {
  if (isNeverDefined(outcome)) return whyWithoutValue(expression, scope);
  const why = whyBroken(expression, scope);
  return why === undefined ? undefined : `is not met: ${why}`;
}

function whyWithoutValue(expression: Expression, { actions }: Scope): string {
  const causes = new Set<string>();
  walkExpressions([expression], (node) => {
    if (node.op === 'look') causes.add(`a row of ${node.table} that it looks up is missing`);
    if (node.op === 'least' || node.op === 'greatest') causes.add(`there is no ${node.op} of no values`);
    if (node.op === 'times') causes.add(`a product has more than ${MAX_DIGITS} digits`);
    if ('needs' in node && !node.needs?.every(isElementPresence)) causes.add(`${spokenPart(node.name)} is missing`);
  });
  const acts = [...stepsIn([expression])].flatMap((stepId) => actions.get(stepId) ?? []);
  const malformed = acts.find(({ isMalformed }) => isMalformed);
  if (malformed !== undefined) causes.add(`the arguments of ${idOf(malformed)} are not those of its tool`);
  return `has no value: ${[...causes].sort().join(', or ')}`;
}

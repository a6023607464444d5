import { isDeepStrictEqual } from 'node:util';
import type { Expression, Reference } from '../language/terms.ts';
import { walkExpressions } from '../language/walk.ts';

/**
 * Whether a condition equates the evidence with a wanted argument or field of the response: sums of them, each times a number
 * that is not 0. Then the evidence of another value does not pass.
 */
export function equatesEvidence(condition: Expression, isWanted: (part: Reference) => boolean): boolean {
  if (condition.op !== '=') return false;
  const sides = [termsOf(condition.left), termsOf(condition.right)];
  return [sides, sides.toReversed()].some(([evidence = [], parts = []]) => {
    const isEvidence = evidence.length > 0 && evidence.every((term) => term.op === 'reference' && term.scope === 'ev');
    const [part] = parts;
    const isOne = parts.length === 1 && part?.op === 'reference' && (part.scope === 'arg' || part.scope === 'resp');
    return isEvidence && isOne && isWanted(part);
  });
}

const isVarying = (node: Expression): boolean =>
  (node.op === 'reference' && node.scope !== 'var') || node.op === 'own' || node.op === 'at';

/** What a sum has that is not the same for every action. Undefined for an expression that is no sum, or that has a term twice. */
function termsOf(expression: Expression): readonly Expression[] | undefined {
  if (isVarying(expression)) return [expression];
  let isConstant = true;
  walkExpressions([expression], (node) => {
    if (isVarying(node)) isConstant = false;
  });
  if (isConstant) return [];
  if (expression.op === '*') return expression.by === 0n ? undefined : termsOf(expression.arg);
  if (expression.op !== '+') return undefined;
  const parts = expression.args.map(termsOf);
  const terms = parts.flatMap((part) => part ?? []);
  const isTwice = terms.some((term, index) => terms.slice(index + 1).some((other) => isDeepStrictEqual(term, other)));
  return parts.includes(undefined) || isTwice ? undefined : terms;
}

import { readsOutcome } from '../../plan/expressions.ts';
import type { Quantified, Unique } from '../../plan/language/terms.ts';
import type { Elaborate } from './candidates.ts';
import type { Element } from './element.ts';
import { asTruth, certain, conjunction, FALSE, TRUE, type Truth } from './kleene.ts';
import type { Scope } from './scope.ts';

/**
 * Whether an element of an aggregate counts: its act took effect, and it meets the condition. Attempts of an act that another
 * action counts for must obey `all`, and have no part in sums, counts and `unique`. An aggregate that reads the outcomes of its
 * acts is over the acts as they are recorded.
 */
export function countsIn(node: Quantified | Unique, element: Element, inside: Scope, elaborate: Elaborate): Truth {
  const condition = node.condition === undefined ? certain(TRUE) : asTruth(elaborate(node.condition, inside));
  if (element.kind === 'row' || (element.tookEffect === undefined && !element.isAttempt)) return condition;
  if (readsOutcome(node)) return condition;
  if (element.isAttempt && node.op !== 'all' && node.op !== 'any') return certain(FALSE);
  return conjunction([certain(element.tookEffect ?? TRUE), condition]);
}

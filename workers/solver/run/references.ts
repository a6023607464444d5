import type { Expression, Reference } from '../language/terms.ts';
import type { Value } from '../language/values.ts';
import { walkExpressions } from '../language/walk.ts';

/** Every name that an expression mentions, in no particular order. A map counts like a state. */
export function referencesIn(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  walkExpressions([expression], (node) => {
    if (node.op === 'reference') found.push(node);
    if (node.op === 'at') found.push({ op: 'reference', scope: node.at, name: node.map });
  });
  return found;
}

/** The value of every literal in an expression, in no particular order. Factors and divisors are not literals here. */
export function literalsIn(expression: Expression): readonly Value[] {
  const found: Value[] = [];
  walkExpressions([expression], (node) => {
    if (node.op === 'literal') found.push(node.value);
  });
  return found;
}

import type { Expression, Literal, Reference } from '../language/terms.ts';
import type { Value } from '../language/values.ts';

/** Every name that an expression mentions, in no particular order. */
export function referencesIn(expression: Expression): readonly Reference[] {
  return nodesIn(expression).filter((node) => isReference(node));
}

/** The value of every literal in an expression, in no particular order. */
export function literalsIn(expression: Expression): readonly Value[] {
  return nodesIn(expression)
    .filter((node) => isLiteral(node))
    .map(({ value }) => value);
}

function nodesIn(expression: Expression): readonly object[] {
  const found: object[] = [];
  const pending: unknown[] = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    found.push(next);
    pending.push(...Object.values(next));
  }
  return found;
}

const isReference = (node: object): node is Reference => 'op' in node && node.op === 'reference';
const isLiteral = (node: object): node is Literal => 'op' in node && node.op === 'literal';

import type { Expression, Reference } from '../language/terms.ts';

/** Every name that an expression mentions, in no particular order. */
export function referencesIn(expression: Expression): readonly Reference[] {
  const found: Reference[] = [];
  const pending: unknown[] = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (isReference(next)) found.push(next);
    else pending.push(...Object.values(next));
  }
  return found;
}

const isReference = (node: object): node is Reference => 'op' in node && node.op === 'reference';

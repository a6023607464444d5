import type { Expression } from './terms.ts';

/** Visits an expression and every expression in it, each before those in it. */
export function walkExpression(expression: Expression, visit: (expression: Expression) => void): void {
  const pending = [expression];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    visit(next);
    pending.push(...childrenOf(next));
  }
}

function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.op) {
    case 'literal':
    case 'reference':
      return [];
    case 'not':
    case '*':
    case 'div':
    case 'mod':
      return [expression.arg];
    case 'and':
    case 'or':
    case '+':
      return expression.args;
    case 'ite':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'sum':
    case 'count':
    case 'forall':
    case 'exists':
      return [expression.body];
    default:
      return [expression.left, expression.right];
  }
}

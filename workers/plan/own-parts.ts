import { isPresence, isWithin } from './language/parts.ts';
import type { Expression, Lookup, Membership } from './language/terms.ts';

/** The name of an argument of the action itself. */
export const argumentOf = (expression: Expression): string | undefined =>
  expression.op === 'reference' && expression.scope === 'arg' ? expression.name : undefined;

/** What an equation says that an argument of the action itself equals. */
export function equalTo(expression: Expression, argument: string): Expression | undefined {
  if (expression.op !== '=') return undefined;
  if (argumentOf(expression.left) === argument) return expression.right;
  return argumentOf(expression.right) === argument ? expression.left : undefined;
}

/** Whether a condition says that the argument, or what it belongs to, is not there. */
export function saysAbsent(condition: Expression, argument: string): boolean {
  if (condition.op !== 'not') return false;
  const parts = condition.arg.op === 'and' ? condition.arg.args : [condition.arg];
  return parts.every((part) => {
    const name = argumentOf(part);
    return name !== undefined && isPresence(name) && isWithin(argument, name.slice(0, -1));
  });
}

export interface OwnRow {
  readonly table: string;
  /** The place of the argument in the key. */
  readonly position: number;
}

/** A row that there must be, and whose key has the argument: a condition that looks up a missing row is not true. */
export function rowFor(condition: Expression, argument: string): OwnRow | undefined {
  if (condition.op === 'in') return rowOf(condition, argument);
  const comparison = condition.op === 'not' ? condition.arg : condition;
  const isComparison = comparison.op === '=' || comparison.op === '<' || comparison.op === '<=';
  return isComparison ? lookIn([comparison.left, comparison.right], argument) : undefined;
}

function rowOf({ table, keys }: Lookup | Membership, argument: string): OwnRow | undefined {
  const position = keys.findIndex((key) => argumentOf(key) === argument);
  return position === -1 ? undefined : { table, position };
}

/** A look-up in operands of which each must have a value. */
function lookIn(operands: readonly Expression[], argument: string): OwnRow | undefined {
  for (const operand of operands) {
    const found =
      operand.op === 'look'
        ? (rowOf(operand, argument) ?? lookIn(operand.keys, argument))
        : lookIn(neededBy(operand), argument);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Operands without whose values an expression has none. */
function neededBy(expression: Expression): readonly Expression[] {
  switch (expression.op) {
    case '+':
      return expression.args;
    case '*':
    case 'div':
      return [expression.arg];
    case '=':
    case '<':
    case '<=':
    case 'min':
    case 'max':
    case 'times':
      return [expression.left, expression.right];
    case 'in':
      return expression.keys;
    case 'at':
      return [expression.key];
    default:
      return [];
  }
}

import type { Expression, Quantified, Unique } from '../../plan/language/terms.ts';
import { walkExpressions } from '../../plan/language/walk.ts';

/**
 * Whether a rule that is not true stays so, whatever is done later: a sum of what cannot be negative only grows, and two acts that
 * are equal stay equal. Of rules about the state at the end, and about outcomes, it is not known.
 */
export const isLasting = (rule: Expression): boolean => !has(rule, isOpenLater) && falls(rule);

const isOpenLater = (node: Expression): boolean =>
  (node.op === 'reference' && node.scope === 'final') ||
  (node.op === 'at' && node.at === 'final') ||
  (node.op === 'part' && node.part === 'outcome');

function has(expression: Expression, isIt: (node: Expression) => boolean): boolean {
  let found = false;
  walkExpressions([expression], (node) => {
    found ||= isIt(node);
  });
  return found;
}

/** Whether an expression is about what was done so far alone. */
const isFixed = (expression: Expression): boolean =>
  !has(expression, (node) => 'range' in node && node.range.kind === 'step');

/** Whether a truth value never changes towards true when more is done. */
function falls(node: Expression): boolean {
  if (isFixed(node)) return true;
  switch (node.op) {
    case 'and':
    case 'or':
      return node.args.every(falls);
    case 'not':
      return rises(node.arg);
    case 'ite':
      return isFixed(node.condition) && falls(node.whenTrue) && falls(node.whenFalse);
    case 'all':
      return node.body !== undefined && falls(node.body);
    case 'any':
      return node.range.kind === 'table' && node.body !== undefined && falls(node.body);
    case 'unique':
      return node.keys.every(isFixed) && hasFixedCondition(node);
    case '<':
    case '<=':
      return grows(node.left) && shrinks(node.right);
    default:
      return false;
  }
}

/** Whether a truth value never changes towards false. */
function rises(node: Expression): boolean {
  if (isFixed(node)) return true;
  switch (node.op) {
    case 'and':
    case 'or':
      return node.args.every(rises);
    case 'not':
      return falls(node.arg);
    case 'any':
      return node.body !== undefined && rises(node.body);
    case '<':
    case '<=':
      return shrinks(node.left) && grows(node.right);
    default:
      return false;
  }
}

/** Whether a number never becomes less. */
function grows(node: Expression): boolean {
  if (isFixed(node)) return true;
  switch (node.op) {
    case '+':
      return node.args.every(grows);
    case '*':
      return node.by < 0n ? shrinks(node.arg) : grows(node.arg);
    case 'number':
      return hasFixedCondition(node);
    case 'total':
      return node.body !== undefined && isFixed(node.body) && isNeverNegative(node.body) && hasFixedCondition(node);
    default:
      return false;
  }
}

/** Whether a number never becomes more. */
function shrinks(node: Expression): boolean {
  if (isFixed(node)) return true;
  if (node.op === '+') return node.args.every(shrinks);
  return node.op === '*' && (node.by < 0n ? grows(node.arg) : shrinks(node.arg));
}

const hasFixedCondition = ({ condition }: Quantified | Unique): boolean =>
  condition === undefined || isFixed(condition);

function isNeverNegative(node: Expression): boolean {
  switch (node.op) {
    case 'literal':
      return typeof node.value === 'bigint' && node.value >= 0n;
    case 'part':
      return 'min' in node.type && node.type.min >= 0n;
    case '+':
      return node.args.every(isNeverNegative);
    case '*':
      return node.by >= 0n && isNeverNegative(node.arg);
    case 'times':
    case 'min':
    case 'max':
      return isNeverNegative(node.left) && isNeverNegative(node.right);
    case 'ite':
      return isNeverNegative(node.whenTrue) && isNeverNegative(node.whenFalse);
    default:
      return false;
  }
}

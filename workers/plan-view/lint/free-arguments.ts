import type { StepDocument } from '../../exact/plan-schema.ts';
import { argumentOf, type Expr, operandsOf, walk } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, type PlanParts } from '../parts/plan-parts.ts';

/** Texts among the arguments of a step that no condition ties to anything: the agent chooses them. */
export function freeArguments(step: StepDocument, parts: PlanParts): readonly string[] {
  const conditions = conditionsOf(step, parts);
  return [...fieldsOf(parts.tools.get(step.tool)?.args)].flatMap(([name, type]) => {
    if (fieldsOf(type).get('type') !== 'string') return [];
    return conditions.some((condition) => ties(condition, name)) ? [] : [name];
  });
}

/** Whether a condition can only hold for values of the argument that something else gives. */
function ties(expr: Expr, argument: string): boolean {
  // Without the row, the comparison would be undefined, and the condition not true.
  if (operandsOf(expr, ...COMPARISONS) !== undefined && looksUp(expr, argument)) return true;
  const equation = operandsOf(expr, '=');
  if (equation !== undefined) {
    const [left, right] = equation;
    return (argumentOf(left) === argument && isOther(right)) || (argumentOf(right) === argument && isOther(left));
  }
  const membership = operandsOf(expr, 'in');
  if (membership !== undefined) {
    const [, keys] = membership;
    return Array.isArray(keys) && keys.some((key: unknown) => argumentOf(key) === argument);
  }
  const every = operandsOf(expr, 'and');
  if (every !== undefined) return every.some((part) => ties(part, argument));
  const some = operandsOf(expr, 'or');
  if (some !== undefined) return some.every((part) => ties(part, argument));
  const [, , body] = operandsOf(expr, 'exists') ?? [];
  return body !== undefined && ties(body, argument);
}

const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];
/** Operators whose value may not depend on all operands. */
const CONDITIONAL = [
  'ite',
  'and',
  'or',
  'implies',
  'iff',
  'not',
  'forall',
  'exists',
  'count',
  'sum',
  'least',
  'greatest',
];

/** Whether an expression always reads the row of a table whose key is the argument. */
function looksUp(expr: Expr, argument: string): boolean {
  if (!Array.isArray(expr) || operandsOf(expr, ...CONDITIONAL) !== undefined) return false;
  const [, , keys] = operandsOf(expr, 'look') ?? [];
  if (Array.isArray(keys) && keys.some((key: unknown) => argumentOf(key) === argument)) return true;
  return expr.some((part: unknown) => looksUp(part, argument));
}

/** Whether an expression is more than another argument of the same action. */
function isOther(expr: Expr): boolean {
  let hasSource = false;
  walk(expr, (part) => {
    const operands = operandsOf(part);
    if (operands !== undefined && argumentOf(part) === undefined) hasSource = true;
  });
  return hasSource;
}

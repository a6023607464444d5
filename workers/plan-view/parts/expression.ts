/** An expression in canonical form, unread. */
export type Expr = unknown;

/** The operator of an expression. Undefined for a number. */
export function operatorOf(expr: Expr): string | undefined {
  const head: unknown = Array.isArray(expr) ? expr[0] : undefined;
  return typeof head === 'string' ? head : undefined;
}

/** The operands of an expression, if it has the operator. */
export function operandsOf(expr: Expr, ...operators: readonly string[]): readonly Expr[] | undefined {
  const operator = operatorOf(expr);
  if (operator === undefined || !Array.isArray(expr)) return undefined;
  return operators.length === 0 || operators.includes(operator) ? expr.slice(1) : undefined;
}

/** The parts of an expression that must all hold. */
export function conjunctsOf(expr: Expr): readonly Expr[] {
  const operands = operandsOf(expr, 'and');
  return operands === undefined ? [expr] : operands.flatMap(conjunctsOf);
}

/** Whether an expression is a part of the action itself: `["arg","amount"]` or `["resp","fee"]`. */
export function isPart(expr: Expr, [part, name]: readonly [part: string, name: string]): boolean {
  const operands = operandsOf(expr, part);
  return operands?.length === 1 && operands[0] === name;
}

/** What an equation says that an argument of the action itself equals. */
export function equalTo(expr: Expr, argument: string): Expr | undefined {
  const [left, right] = operandsOf(expr, '=') ?? [];
  if (argumentOf(left) === argument) return right;
  return argumentOf(right) === argument ? left : undefined;
}

/** The name of an argument of the action itself. */
export function argumentOf(expr: Expr): string | undefined {
  const operands = operandsOf(expr, 'arg');
  const [name] = operands ?? [];
  return operands?.length === 1 && typeof name === 'string' ? name : undefined;
}

/** Visits an expression and all in it, or all expressions in a part of a document. */
export function walk(expr: Expr, visit: (expr: Expr) => void): void {
  visit(expr);
  if (typeof expr === 'object' && expr !== null) for (const part of Object.values(expr)) walk(part, visit);
}

/** The body of a `forall` with the bound action as the action itself: `["arg","p","x"]` becomes `["arg","x"]`. */
export function asOwn(expr: Expr, binder: string): Expr {
  if (!Array.isArray(expr)) return expr;
  const [head, name, ...rest]: readonly unknown[] = expr;
  const isBound = ['arg', 'resp', 'started', 'ended'].includes(String(head)) && name === binder;
  if (isBound && (rest.length === 1 || head === 'started' || head === 'ended')) return [head, ...rest];
  return expr.map((part: unknown) => asOwn(part, binder));
}

/**
 * Whether an expression equates the evidence with a part of the action: sums of them, each times a number that is not 0. Then
 * the evidence of another value does not pass.
 */
export function equatesEvidence(expr: Expr, isWanted: (part: readonly unknown[]) => boolean): boolean {
  const sides = (operandsOf(expr, '=') ?? []).map(termsOf);
  return [sides, sides.toReversed()].some(([evidence = [], part = []]) => {
    const isEvidence = evidence.length > 0 && evidence.every(([of]) => of === 'ev');
    return isEvidence && part.length === 1 && part.every(isWanted);
  });
}

const VARYING = new Set(['arg', 'resp', 'ev', 'started', 'ended', 'state', 'at']);

/** What a sum has that is not the same for every action. Undefined for an expression that is no sum, or that has a term twice. */
function termsOf(expr: Expr): readonly (readonly unknown[])[] | undefined {
  if (Array.isArray(expr) && VARYING.has(String(expr[0]))) return [expr];
  let isConstant = true;
  walk(expr, (part) => {
    if (VARYING.has(operatorOf(part) ?? '')) isConstant = false;
  });
  if (isConstant) return [];
  const isZero = (factor: Expr) => /^-?0+(\.0+)?$/.test(String(operandsOf(factor, 'int', 'dec')?.[0] ?? factor));
  const isSum = ['+', '-'].includes(operatorOf(expr) ?? '');
  const isProduct = operatorOf(expr) === '*' && !operandsOf(expr)?.some(isZero);
  const terms = isSum || isProduct ? operandsOf(expr)?.map(termsOf) : [undefined];
  const known = terms?.flatMap((some) => some ?? [undefined]) ?? [];
  const found = known.filter((term) => term !== undefined);
  return found.length === known.length && new Set(found.map(String)).size === found.length ? found : undefined;
}

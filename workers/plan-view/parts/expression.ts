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

/** Whether an expression equates something of the evidence with a part of the action. */
export function equatesEvidence(expr: Expr, isWanted: (part: readonly unknown[]) => boolean): boolean {
  const sides = operandsOf(expr, '=') ?? [];
  const has = (side: Expr, is: (part: readonly unknown[]) => boolean) => {
    let found = false;
    walk(side, (part) => {
      if (Array.isArray(part) && is(part)) found = true;
    });
    return found;
  };
  return [sides, sides.toReversed()].some(([one, other]) => has(one, ([of]) => of === 'ev') && has(other, isWanted));
}

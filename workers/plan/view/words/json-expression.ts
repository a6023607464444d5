/** An expression as it is written in a plan. */
export type JsonExpression = unknown;

/** The operator of an expression. Undefined for a number. */
export function operatorOf(expr: JsonExpression): string | undefined {
  const head: unknown = Array.isArray(expr) ? expr[0] : undefined;
  return typeof head === 'string' ? head : undefined;
}

/** The operands of an expression, if it has one of the operators. Of none: if it has any. */
export function operandsOf(
  expr: JsonExpression,
  ...operators: readonly string[]
): readonly JsonExpression[] | undefined {
  const operator = operatorOf(expr);
  if (operator === undefined || !Array.isArray(expr)) return undefined;
  return operators.length === 0 || operators.includes(operator) ? expr.slice(1) : undefined;
}

/** The parts of an expression that must all hold. */
export function conjunctsOf(expr: JsonExpression): readonly JsonExpression[] {
  const operands = operandsOf(expr, 'and');
  return operands === undefined ? [expr] : operands.flatMap(conjunctsOf);
}

/** The members of a JSON object, by name. */
export function fieldsOf(json: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : []);
}

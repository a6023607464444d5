import { argumentOf, type Expr, operandsOf } from './expression.ts';

export const COMPARISONS = ['=', '!=', '<', '<=', '>', '>='];
/** Operators whose value may not depend on all operands. */
const CONDITIONAL = new Set('ite and or implies iff not forall exists count sum least greatest unique'.split(' '));

/** The table of which an expression always reads a row, and the part of its key that is the argument. */
export function lookUpOf(
  expr: Expr,
  argument: string,
): { readonly table: string; readonly position: number } | undefined {
  if (!Array.isArray(expr) || CONDITIONAL.has(String(expr[0]))) return undefined;
  const [table, , keys] = operandsOf(expr, 'look') ?? [];
  const position = Array.isArray(keys) ? keys.findIndex((key: unknown) => argumentOf(key) === argument) : -1;
  if (position !== -1) return { table: String(table), position };
  for (const part of expr) {
    const found = lookUpOf(part, argument);
    if (found !== undefined) return found;
  }
  return undefined;
}

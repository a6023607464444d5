import { evaluate } from '../language/evaluate.ts';
import type { Expression } from '../language/terms.ts';
import { isOfType, type Value } from '../language/values.ts';
import type { Plan, Step } from '../plan/plan.ts';

/** Values of some arguments of an action. The other arguments are open. */
export type Row = ReadonlyMap<string, Value>;

const ANYTHING: readonly Row[] = [new Map()];
const MAX_ROWS = 1024;

/**
 * The rows that actions of a step can have in a run that obeys the plan. The plan's conditions must be a list, such as
 * "invoice I1 with 100.00, or invoice I2 with 50.00". Undefined if they leave an argument in `wanted` open.
 */
export function rowsOf(step: Step, wanted: ReadonlySet<string>, plan: Plan): readonly Row[] | undefined {
  const constants = new Map([...plan.variables].map(([name, { value }]) => [name, value]));
  const conditions: Expression = { op: 'and', args: conditionsOf(step, plan) };
  let rows: readonly Row[] = cover(conditions, constants).filter((row) => isPossible(row, step));
  for (const name of wanted) {
    rows = distinct(rows.flatMap((row) => fix(row, name, step)));
    // Checked here because the next argument multiplies the rows.
    if (rows.length > MAX_ROWS) return undefined;
  }
  return rows.every((row) => [...wanted].every((name) => row.has(name))) ? distinct(rows) : undefined;
}

/** Whether all values are of their types. A list in a condition may have others. */
function isPossible(row: Row, { tool }: Step): boolean {
  return [...row].every(([name, value]) => {
    const type = tool.args.get(name);
    return type !== undefined && isOfType(value, type);
  });
}

/** The conditions of the step, and the rules of the plan about each of its actions. */
function conditionsOf({ stepId, where }: Step, { constraints }: Plan): readonly Expression[] {
  const ofEach = constraints.flatMap(({ expression }) =>
    expression.op === 'forall' && expression.step === stepId ? [expression.body] : [],
  );
  return [...where.map(({ expression }) => expression), ...ofEach];
}

/** Splits a row in which an argument with few values is open: one row for each value. */
function fix(row: Row, name: string, { tool }: Step): readonly Row[] {
  const type = tool.args.get(name);
  if (row.has(name)) return [row];
  if (type?.type === 'bool') return [false, true].map((value) => new Map([...row, [name, value]]));
  if (type?.type === 'enum') return type.values.map((value) => new Map([...row, [name, value]]));
  return [row];
}

type Constants = ReadonlyMap<string, Value>;

/** Every action that makes the expression true has one of these rows. Actions that make it false may have one too. */
function cover(expression: Expression, constants: Constants): readonly Row[] {
  switch (expression.op) {
    case 'literal':
      return expression.value === false ? [] : ANYTHING;
    case 'reference':
      return expression.scope === 'arg' ? [new Map([[expression.name, true]])] : ANYTHING;
    case 'not':
      return expression.arg.op === 'reference' && expression.arg.scope === 'arg'
        ? [new Map([[expression.arg.name, false]])]
        : ANYTHING;
    case '=':
      return coverEqual(expression.left, expression.right, constants);
    case 'and':
      return expression.args.reduce((rows, arg) => both(rows, cover(arg, constants)), ANYTHING);
    case 'or': {
      const rows = expression.args.flatMap((arg) => cover(arg, constants));
      return rows.length > MAX_ROWS ? ANYTHING : rows;
    }
    default:
      return ANYTHING;
  }
}

function coverEqual(left: Expression, right: Expression, constants: Constants): readonly Row[] {
  for (const [one, other] of [
    [left, right],
    [right, left],
  ] as const) {
    const value = constantOf(other, constants);
    if (one.op === 'reference' && one.scope === 'arg' && value !== undefined) return [new Map([[one.name, value]])];
  }
  return ANYTHING;
}

function constantOf(expression: Expression, constants: Constants): Value | undefined {
  if (expression.op === 'literal') return evaluate(expression, new Map());
  return expression.op === 'reference' && expression.scope === 'var' ? constants.get(expression.name) : undefined;
}

/** The rows that combine one of each list. If these are too many: one of the lists alone, which covers them too. */
function both(left: readonly Row[], right: readonly Row[]): readonly Row[] {
  if (left.length * right.length > MAX_ROWS) return left.length > right.length ? left : right;
  return left.flatMap((one) =>
    right.flatMap((other) => {
      const isContradiction = [...other].some(([name, value]) => one.has(name) && one.get(name) !== value);
      return isContradiction ? [] : [new Map([...one, ...other])];
    }),
  );
}

function distinct(rows: readonly Row[]): readonly Row[] {
  const keyOf = (row: Row) =>
    JSON.stringify([...row].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, `${value}`]));
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

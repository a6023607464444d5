import { evaluate } from '../language/evaluate.ts';
import type { Expression } from '../language/terms.ts';
import { isOfType, type Value } from '../language/values.ts';
import type { Plan, Step } from '../plan/plan.ts';

/** What some arguments of an action are; nothing is said about the others. */
export type Row = ReadonlyMap<string, Value>;

const ANYTHING: readonly Row[] = [new Map()];
const MAX_ROWS = 1024;

/**
 * Rows of which every action of a step has one where a run obeys the plan: what the plan asks of each action is a list,
 * such as "invoice I1 with 100.00, or invoice I2 with 50.00". Undefined if it leaves some argument in `wanted` open.
 */
export function rowsOf(step: Step, wanted: ReadonlySet<string>, plan: Plan): readonly Row[] | undefined {
  const constants = new Map([...plan.variables].map(([name, { value }]) => [name, value]));
  const conditions: Expression = { op: 'and', args: conditionsOf(step, plan) };
  let rows: readonly Row[] = cover(conditions, constants).filter((row) => isPossible(row, step));
  for (const name of wanted) {
    rows = distinct(rows.flatMap((row) => fix(row, name, step)));
    // Before the next one multiplies them.
    if (rows.length > MAX_ROWS) return undefined;
  }
  return rows.every((row) => [...wanted].every((name) => row.has(name))) ? distinct(rows) : undefined;
}

/** An argument has no value outside its type, whatever a list says. */
function isPossible(row: Row, { tool }: Step): boolean {
  return [...row].every(([name, value]) => {
    const type = tool.args.get(name);
    return type !== undefined && isOfType(value, type);
  });
}

/** The conditions of the step, and the rules of the plan that ask something of each of its actions. */
function conditionsOf({ stepId, where }: Step, { constraints }: Plan): readonly Expression[] {
  const ofEach = constraints.flatMap(({ expression }) =>
    expression.op === 'forall' && expression.step === stepId ? [expression.body] : [],
  );
  return [...where.map(({ expression }) => expression), ...ofEach];
}

/** A row that says nothing of an argument with few values stands for one row for each of them. */
function fix(row: Row, name: string, { tool }: Step): readonly Row[] {
  const type = tool.args.get(name);
  if (row.has(name)) return [row];
  if (type?.type === 'bool') return [false, true].map((value) => new Map([...row, [name, value]]));
  if (type?.type === 'enum') return type.values.map((value) => new Map([...row, [name, value]]));
  return [row];
}

type Constants = ReadonlyMap<string, Value>;

/** Rows of which every action that makes the expression true has one. There may be others that make it false. */
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

/** Rows of what has a row of each. Where these would be too many, those of one: it is true of them as well. */
function both(left: readonly Row[], right: readonly Row[]): readonly Row[] {
  if (left.length * right.length > MAX_ROWS) return left.length > right.length ? left : right;
  return left.flatMap((one) =>
    right.flatMap((other) => {
      const isTorn = [...other].some(([name, value]) => one.has(name) && one.get(name) !== value);
      return isTorn ? [] : [new Map([...one, ...other])];
    }),
  );
}

function distinct(rows: readonly Row[]): readonly Row[] {
  const keyOf = (row: Row) =>
    JSON.stringify([...row].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => [name, `${value}`]));
  return [...new Map(rows.map((row) => [keyOf(row), row])).values()];
}

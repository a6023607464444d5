import type { StepDocument } from '../../exact/plan-schema.ts';
import { code } from '../markdown/escape.ts';
import { argumentOf, conjunctsOf, type Expr, equalTo, operandsOf } from '../parts/expression.ts';
import { COMPARISONS, lookUpOf } from '../parts/look-ups.ts';
import { conditionsOf, fieldsOf, isChanged, type PlanParts } from '../parts/plan-parts.ts';
import { duration } from '../words/expression-words.ts';

/** The values that the conditions leave to an argument, as they are shown. Undefined if none lists them. */
export function listedValues(step: StepDocument, argument: string, parts: PlanParts): readonly string[] | undefined {
  const values = conditionsOf(step, parts).flatMap((condition) => {
    const found = valuesIn(condition, argument, parts);
    return found === undefined ? [] : [found];
  });
  // The condition that leaves least.
  return values.toSorted((one, other) => one.length - other.length)[0];
}

function valuesIn(condition: Expr, argument: string, parts: PlanParts): readonly string[] | undefined {
  const equal = equalTo(condition, argument);
  const values = equal === undefined ? undefined : valuesOf(equal, parts);
  if (values !== undefined) return values;
  if (argumentOf(condition) === argument) return [code('true')];
  if (argumentOf(operandsOf(condition, 'not')?.[0]) === argument) return [code('false')];
  const lookUp = operandsOf(condition, ...COMPARISONS) === undefined ? undefined : lookUpOf(condition, argument);
  if (lookUp !== undefined) return keysOf(lookUp.table, lookUp.position, parts);
  const alternatives = operandsOf(condition, 'or');
  if (alternatives !== undefined) return union(alternatives.map((one) => valuesIn(one, argument, parts)));
  const [table, keys] = operandsOf(condition, 'in') ?? [];
  const key = (Array.isArray(keys) ? keys : []).findIndex((one: unknown) => argumentOf(one) === argument);
  if (key !== -1) return keysOf(String(table), key, parts);
  const [range, binder, body] = operandsOf(condition, 'exists') ?? [];
  const [ofTable] = operandsOf(range, 'table') ?? [];
  if (ofTable === undefined) return undefined;
  for (const part of conjunctsOf(body)) {
    const sides = operandsOf(part, '=') ?? [];
    const column = sides.map((side) => operandsOf(side, 'col')).find((operands) => operands?.[0] === binder)?.[1];
    const isCompared = sides.some((side) => argumentOf(side) === argument);
    if (isCompared && column !== undefined) return columnOf(String(ofTable), String(column), parts);
  }
  return undefined;
}

/** The values that an expression can have, as they are shown. Undefined if they are not listed in the plan. */
export function valuesOf(expr: Expr, parts: PlanParts): readonly string[] | undefined {
  const constant = constantInWords(expr, parts);
  if (constant !== undefined) return [constant];
  const [state] = operandsOf(expr, 'state') ?? [];
  if (typeof state === 'string') {
    const initial = fieldsOf(parts.plan.state[state]).get('initial');
    return initial === undefined || isChanged(state, parts) ? undefined : [code(String(initial))];
  }
  const [table, column] = operandsOf(expr, 'look') ?? [];
  if (typeof table === 'string') return columnOf(table, String(column), parts);
  const branches = operandsOf(expr, 'ite')?.slice(1);
  return branches && union(branches.map((branch) => valuesOf(branch, parts)));
}

function union(lists: readonly (readonly string[] | undefined)[]): readonly string[] | undefined {
  const known = lists.flatMap((list) => (list === undefined ? [] : [list]));
  return known.length === lists.length ? [...new Set(known.flat())] : undefined;
}

function columnOf(table: string, column: string, { rows }: PlanParts): readonly string[] | undefined {
  const known = rows.get(table);
  return known && [...new Set(known.map((row) => code(String(row[column]))))];
}

function keysOf(table: string, position: number, parts: PlanParts): readonly string[] | undefined {
  const column = parts.plan.tables[table]?.key[position];
  return column === undefined ? undefined : columnOf(table, column, parts);
}

/** A value that is written in the plan. Undefined for other expressions. */
function constantInWords(expr: Expr, { plan }: PlanParts): string | undefined {
  if (typeof expr === 'number') return code(String(expr));
  const [written] = operandsOf(expr, 'str', 'enum', 'int', 'dec', 'bool', 'time') ?? [];
  if (written !== undefined) return code(String(written));
  const [length] = operandsOf(expr, 'duration') ?? [];
  if (length !== undefined) return duration([length]);
  const [name] = operandsOf(expr, 'var') ?? [];
  const given = typeof name === 'string' ? fieldsOf(plan.variables[name]) : undefined;
  const value = given?.get('value');
  if (value === undefined) return undefined;
  return given?.get('type') === 'duration' ? duration([value]) : code(String(value));
}

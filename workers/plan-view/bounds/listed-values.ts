import type { StepDocument } from '../../exact/plan-schema.ts';
import { code } from '../markdown/escape.ts';
import { argumentOf, conjunctsOf, type Expr, equalTo, operandsOf } from '../parts/expression.ts';
import { COMPARISONS, lookUpOf } from '../parts/look-ups.ts';
import { conditionsOf, fieldsOf, isChanged, type PlanParts, type Row } from '../parts/plan-parts.ts';
import { duration } from '../words/expression-words.ts';

/** A value that a plan lists. Writing all values of a large table takes seconds. */
export interface ListedValue {
  readonly key: string;
  readonly inWords: () => string;
}

const listedValue = (value: unknown): ListedValue => ({ key: String(value), inWords: () => code(String(value)) });
const listedDuration = (value: unknown): ListedValue => ({ key: String(value), inWords: () => duration([value]) });

const distinct = (values: readonly ListedValue[]): readonly ListedValue[] => [
  ...new Map(values.map((value) => [value.key, value])).values(),
];

/** The values that the conditions leave to an argument. Undefined if none lists them. */
export function listedValues(
  step: StepDocument,
  argument: string,
  parts: PlanParts,
): readonly ListedValue[] | undefined {
  const values = conditionsOf(step, parts).flatMap((condition) => {
    const found = valuesIn(condition, argument, parts);
    return found === undefined ? [] : [found];
  });
  // The condition that leaves least.
  return values.toSorted((one, other) => one.length - other.length)[0];
}

function valuesIn(condition: Expr, argument: string, parts: PlanParts): readonly ListedValue[] | undefined {
  const equal = equalTo(condition, argument);
  const values = equal === undefined ? undefined : valuesOf(equal, parts);
  if (values !== undefined) return values;
  if (argumentOf(condition) === argument) return [listedValue(true)];
  if (argumentOf(operandsOf(condition, 'not')?.[0]) === argument) return [listedValue(false)];
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

/** The values that an expression can have. Undefined if they are not listed in the plan. */
export function valuesOf(expr: Expr, parts: PlanParts): readonly ListedValue[] | undefined {
  const constant = constantIn(expr, parts);
  if (constant !== undefined) return [constant];
  const [state] = operandsOf(expr, 'state') ?? [];
  if (typeof state === 'string') {
    const initial = fieldsOf(parts.plan.state[state]).get('initial');
    return initial === undefined || isChanged(state, parts) ? undefined : [listedValue(initial)];
  }
  const [table, column] = operandsOf(expr, 'look') ?? [];
  if (typeof table === 'string') return columnOf(table, String(column), parts);
  const branches = operandsOf(expr, 'ite')?.slice(1);
  return branches && union(branches.map((branch) => valuesOf(branch, parts)));
}

function union(lists: readonly (readonly ListedValue[] | undefined)[]): readonly ListedValue[] | undefined {
  const known = lists.flatMap((list) => (list === undefined ? [] : [list]));
  return known.length === lists.length ? distinct(known.flat()) : undefined;
}

const columns = new WeakMap<readonly Row[], Map<string, readonly ListedValue[]>>();

function columnOf(table: string, column: string, { rows }: PlanParts): readonly ListedValue[] | undefined {
  const known = rows.get(table);
  if (known === undefined) return undefined;
  const found = columns.get(known) ?? new Map<string, readonly ListedValue[]>();
  columns.set(known, found);
  const values = found.get(column) ?? distinct(known.map((row) => listedValue(row[column])));
  found.set(column, values);
  return values;
}

function keysOf(table: string, position: number, parts: PlanParts): readonly ListedValue[] | undefined {
  const column = parts.plan.tables[table]?.key[position];
  return column === undefined ? undefined : columnOf(table, column, parts);
}

/** A value that is written in the plan. Undefined for other expressions. */
function constantIn(expr: Expr, { plan }: PlanParts): ListedValue | undefined {
  if (typeof expr === 'number') return listedValue(expr);
  const [written] = operandsOf(expr, 'str', 'enum', 'int', 'dec', 'bool', 'time') ?? [];
  if (written !== undefined) return listedValue(written);
  const [length] = operandsOf(expr, 'duration') ?? [];
  if (length !== undefined) return listedDuration(length);
  const [name] = operandsOf(expr, 'var') ?? [];
  const given = typeof name === 'string' ? fieldsOf(plan.variables[name]) : undefined;
  const value = given?.get('value');
  if (value === undefined) return undefined;
  return given?.get('type') === 'duration' ? listedDuration(value) : listedValue(value);
}

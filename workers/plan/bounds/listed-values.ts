import { defined } from '../../exact/defined.ts';
import { claimsOfStep, conjunctsOf } from '../claims.ts';
import { isChanged } from '../expressions.ts';
import type { Expression, Quantified } from '../language/terms.ts';
import type { Value } from '../language/values.ts';
import { argumentOf, equalTo, rowFor, saysAbsent } from '../own-parts.ts';
import type { Plan, Step, Table } from '../plan.ts';

/** Distinct values, in the order in which the plan lists them. */
export type ListedValues = ReadonlySet<Value>;

/** The values that the conditions leave to an argument. Undefined if none lists them. */
export const listedValues = (step: Step, argument: string, plan: Plan): ListedValues | undefined =>
  valuesLeft(claimsOfStep(step, plan), argument, plan);

/** As {@link listedValues}, of acts that have the argument. */
export const listedIfThere = (step: Step, argument: string, plan: Plan): ListedValues | undefined =>
  valuesLeft(
    claimsOfStep(step, plan).flatMap((condition) => ifThere(condition, argument)),
    argument,
    plan,
  );

/** What a condition says where the argument is there. */
function ifThere(condition: Expression, argument: string): readonly Expression[] {
  if (condition.op !== 'or') return [condition];
  const args = condition.args.filter((part) => !saysAbsent(part, argument));
  const [only] = args;
  if (only === undefined || args.length > 1) return [{ op: 'or', args }];
  return conjunctsOf(only).flatMap((part) => ifThere(part, argument));
}

function valuesLeft(claims: readonly Expression[], argument: string, plan: Plan): ListedValues | undefined {
  const lists = claims.flatMap((condition) => valuesIn(condition, argument, plan) ?? []);
  const [shortest, ...others] = lists.toSorted((one, other) => one.size - other.size);
  return shortest && new Set([...shortest].filter((value) => others.every((list) => list.has(value))));
}

function valuesIn(condition: Expression, argument: string, plan: Plan): ListedValues | undefined {
  const equal = equalTo(condition, argument);
  const values = equal && valuesOf(equal, plan);
  if (values !== undefined) return values;
  if (argumentOf(condition) === argument) return new Set([true]);
  const row = rowFor(condition, argument);
  if (row !== undefined) return keysOf(defined(plan.tables.get(row.table)), row.position);
  switch (condition.op) {
    case 'not':
      return argumentOf(condition.arg) === argument ? new Set([false]) : undefined;
    case 'or':
      return union(condition.args.map((one) => valuesIn(one, argument, plan)));
    case 'any':
      return valuesInRows(condition, argument, plan);
    default:
      return undefined;
  }
}

/** `approved.exists(r, r.payee == args.payee && …)` */
function valuesInRows({ body, binder, range }: Quantified, argument: string, plan: Plan): ListedValues | undefined {
  if (range.kind !== 'table' || body === undefined) return undefined;
  for (const part of conjunctsOf(body)) {
    const column = equalTo(part, argument);
    if (column?.op === 'part' && column.binder === binder)
      return valuesInColumn(defined(plan.tables.get(range.name)), column.name);
  }
  return undefined;
}

/** The values that an expression can have. Undefined if they are not listed in the plan. */
export function valuesOf(expression: Expression, plan: Plan): ListedValues | undefined {
  switch (expression.op) {
    case 'literal':
      return new Set([expression.value]);
    case 'reference': {
      const { scope, name } = expression;
      const isFixed = scope === 'var' || ((scope === 'state' || scope === 'final') && !isChanged(name, plan));
      const value = isFixed ? (scope === 'var' ? plan.variables : plan.state).get(name)?.value : undefined;
      return value === undefined ? undefined : new Set([value]);
    }
    case 'look':
      return valuesInColumn(defined(plan.tables.get(expression.table)), expression.column);
    case 'ite':
      return union([expression.whenTrue, expression.whenFalse].map((branch) => valuesOf(branch, plan)));
    default:
      return undefined;
  }
}

function union(lists: readonly (ListedValues | undefined)[]): ListedValues | undefined {
  const known = lists.filter((list) => list !== undefined);
  return known.length === lists.length ? new Set(known.flatMap((list) => [...list])) : undefined;
}

const columns = new WeakMap<Table, Map<string, ListedValues>>();

function valuesInColumn(table: Table, column: string): ListedValues {
  const found = columns.get(table) ?? new Map<string, ListedValues>();
  columns.set(table, found);
  const position = defined(table.positions.get(column));
  const values = found.get(column) ?? new Set(table.rows.map((row) => defined(row[position])));
  found.set(column, values);
  return values;
}

const keysOf = (table: Table, position: number): ListedValues => valuesInColumn(table, defined(table.key[position]));

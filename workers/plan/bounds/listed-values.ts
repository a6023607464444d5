import { defined } from '../../exact/defined.ts';
import { claimsOfRun, claimsOfStep, conjunctsOf } from '../claims.ts';
import { isChanged } from '../expressions.ts';
import type { Expression, Quantified } from '../language/terms.ts';
import type { Value } from '../language/values.ts';
import { argumentOf, equalTo, rowFor } from '../own-parts.ts';
import type { Plan, Step, Table } from '../plan.ts';
import { ANY, minOf } from './interval.ts';
import { nameOf } from './numbers.ts';
import { countName, limitsOf } from './run-bounds.ts';
import { rangesOf } from './step-ranges.ts';

/** Distinct values, in the order in which the plan lists them. */
export type ListedValues = ReadonlySet<Value>;

/** The values that the conditions leave to an argument. Undefined if none lists them. */
export function listedValues(step: Step, argument: string, plan: Plan): ListedValues | undefined {
  const lists = claimsOfStep(step, plan).flatMap((condition) => valuesIn(condition, argument, plan) ?? []);
  // The condition that leaves least.
  return lists.toSorted((one, other) => one.size - other.size)[0];
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

/** How many values an argument can have: those that the plan lists, or those of its type within its bounds. Unknown: enough. */
function countOfValues(step: Step, argument: string, plan: Plan): number {
  const listed = listedValues(step, argument, plan);
  if (listed !== undefined) return listed.size;
  const type = defined(step.tool.args.get(argument));
  if (type.type === 'bool') return 2;
  if (type.type === 'enum') return type.values.length;
  const { min, max } = rangesOf(step, plan, 'proven').get(nameOf('arg', argument)) ?? ANY;
  return min === undefined || max === undefined ? step.max : Math.max(0, Number(max - min + 1n));
}

/**
 * How often a step can be done in one run: as often as it says, or less where a rule counts its actions, or wants them to differ
 * and there are fewer values in which they can differ.
 */
export function maxActions(step: Step, plan: Plan): number {
  const kinds = uniqueArguments(step, plan).map((names) =>
    names.reduce((product, name) => product * countOfValues(step, name, plan), 1),
  );
  const counted = minOf(limitsOf(countName(step.stepId), plan).map(({ limit }) => limit));
  // Where fewer are possible than it wants, lint says so.
  return Math.max(step.min, Math.min(step.max, ...kinds, counted === undefined ? step.max : Number(counted)));
}

/** The arguments by which no two actions of a step may be the same, for each rule that says so of all actions. */
export const uniqueArguments = ({ stepId }: Step, plan: Plan): readonly (readonly string[])[] =>
  claimsOfRun(plan).flatMap(({ expression: rule }) => {
    if (
      rule.op !== 'unique' ||
      rule.range.kind !== 'step' ||
      rule.range.name !== stepId ||
      rule.condition !== undefined
    )
      return [];
    const names = rule.keys.flatMap((key) =>
      key.op === 'part' && key.part === 'arg' && key.binder === rule.binder ? [key.name] : [],
    );
    return names.length === rule.keys.length ? [names] : [];
  });

import { defined } from '../../exact/defined.ts';
import type { Expression } from '../../plan/language/terms.ts';
import type { Value } from '../../plan/language/values.ts';
import { walkExpressions } from '../../plan/language/walk.ts';
import type { Plan, Step, Table, TableRow } from '../../plan/plan.ts';
import { conditionsOf } from './conditions.ts';

export type Args = ReadonlyMap<string, Value>;
type Key = readonly Value[];

/**
 * Rows of which one can be chosen for an action: those of a table whose key is arguments of the action, or those that a
 * condition lists, such as "invoice I1 with 100.00, or invoice I2 with 50.00".
 */
export interface Link {
  /** The arguments that a row gives. */
  readonly args: readonly string[];
  readonly size: number;
  readonly keyAt: (index: number, order: RowOrder) => Key;
}

/** In which order rows are tried: as the table has them, or by a column. */
export interface RowOrder {
  readonly by: string | undefined;
  readonly isDescending: boolean;
}

export const AS_WRITTEN: RowOrder = { by: undefined, isDescending: false };

/** What rows can be chosen for an action under these conditions, which need not require one. */
export function linksOf(conditions: readonly Expression[], plan: Plan): readonly Link[] {
  const lists = conditions.flatMap((condition) => listOf(condition, plan) ?? []);
  return [...lookupsIn(conditions, plan).values()].map(linkOf).concat(lists);
}

/** The rows of which every action has one that meets a condition. */
export function requiredLink(condition: Expression, plan: Plan): Link | undefined {
  const list = listOf(condition, plan);
  if (list !== undefined) return list;
  const sides = condition.op === '=' ? [condition.left, condition.right] : [condition];
  const isLookup = ({ op }: Expression) => op === 'look' || op === 'in';
  // A condition with a row that does not exist is not true.
  const [lookup] = lookupsIn(sides.filter(isLookup), plan).values();
  return lookup && linkOf(lookup);
}

function linkOf({ table, args }: Lookup): Link {
  const positions = table.key.map((column) => defined(table.positions.get(column)));
  const keyAt = (index: number, order: RowOrder) => {
    const row = defined(inOrder(table, order)[index]);
    return positions.map((position) => defined(row[position]));
  };
  return { args, size: table.rows.length, keyAt };
}

interface Lookup {
  readonly table: Table;
  /** The argument for each column of the key. */
  readonly args: readonly string[];
}

/** Look-ups whose key is arguments of the action. */
function lookupsIn(conditions: readonly Expression[], { tables }: Plan): ReadonlyMap<string, Lookup> {
  const lookups = new Map<string, Lookup>();
  walkExpressions(conditions, (node) => {
    if (node.op !== 'in' && node.op !== 'look') return;
    const args = node.keys.flatMap((key) => (key.op === 'reference' && key.scope === 'arg' ? [key.name] : []));
    const table = tables.get(node.table);
    if (table === undefined || args.length < node.keys.length) return;
    lookups.set(`${node.table} ${args.join(' ')}`, { table, args });
  });
  return lookups;
}

/** The rows that a condition lists: each alternative says what the same arguments equal. */
function listOf(condition: Expression, plan: Plan): Link | undefined {
  if (condition.op !== 'or') return undefined;
  const rows = condition.args.map((alternative) => fixedBy(alternative, plan));
  const args = [...(rows[0]?.keys() ?? [])].filter((name) => rows.every((row) => row.has(name)));
  if (args.length === 0) return undefined;
  return { args, size: rows.length, keyAt: (index) => args.map((name) => defined(rows[index]?.get(name))) };
}

/** The arguments that equal constants where the expression holds. */
function fixedBy(expression: Expression, plan: Plan): Args {
  if (expression.op === 'and') return new Map(expression.args.flatMap((arg) => [...fixedBy(arg, plan)]));
  if (expression.op !== '=') return new Map();
  for (const [one, other] of [
    [expression.left, expression.right],
    [expression.right, expression.left],
  ] as const) {
    const value = constantOf(other, plan);
    if (one.op === 'reference' && one.scope === 'arg' && value !== undefined) return new Map([[one.name, value]]);
  }
  return new Map();
}

function constantOf(expression: Expression, { variables }: Plan): Value | undefined {
  if (expression.op === 'literal') return expression.value;
  if (expression.op !== 'reference' || expression.scope !== 'var') return undefined;
  return variables.get(expression.name)?.value;
}

const orders = new WeakMap<Table, Map<string, readonly TableRow[]>>();

function inOrder(table: Table, { by, isDescending }: RowOrder): readonly TableRow[] {
  const position = by === undefined ? undefined : table.positions.get(by);
  if (position === undefined) return table.rows;
  const known = orders.get(table) ?? new Map<string, readonly TableRow[]>();
  orders.set(table, known);
  const id = `${by} ${isDescending}`;
  const sorted =
    known.get(id) ?? table.rows.toSorted((a, b) => compare(a[position], b[position]) * (isDescending ? -1 : 1));
  known.set(id, sorted);
  return sorted;
}

function compare(a: Value | undefined, b: Value | undefined): number {
  if (typeof a !== 'bigint' || typeof b !== 'bigint') return 0;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The columns by which rows can be ordered. */
export function orderedColumns(plan: Plan): readonly string[] {
  const lookups = plan.steps.flatMap((step) => [...lookupsIn(conditionsOf(step, plan), plan).values()]);
  const names = lookups.flatMap(({ table }) =>
    [...table.columns].flatMap(([name, { type }]) => (type === 'int' || type === 'decimal' ? [name] : [])),
  );
  return [...new Set(names)];
}

/** How many rows there are from which an action of the step can be chosen. */
export function rowsFor(step: Step, plan: Plan): number {
  return Math.max(0, ...linksOf(conditionsOf(step, plan), plan).map(({ size }) => size));
}

import { defined } from '../../exact/defined.ts';
import type { Expression } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import type { Plan, Step, Table } from '../plan/plan.ts';
import { conditionsOf } from './conditions.ts';

/** Inclusive bounds of a number. */
export interface Interval {
  readonly min: bigint;
  readonly max: bigint;
}

export type Intervals = ReadonlyMap<string, Interval>;

/** No expression over one action reaches it: values have 38 digits, and literals that multiply them as well. */
const WIDEST = 10n ** 90n;
export const ANY: Interval = { min: -WIDEST, max: WIDEST };

/** Where an expression's names get their bounds: arguments, response fields, and constants of the plan. */
export interface Bounds {
  readonly plan: Plan;
  readonly args: Intervals;
  readonly responds: Intervals;
  /** The name of the action in a rule. */
  readonly binder?: string | undefined;
}

/** Bounds of the numbers of every action of a step: those of their types, and those that its conditions set. */
export function boundsOfStep(step: Step, plan: Plan): Bounds {
  const args = new Map<string, Interval>();
  for (const [name, type] of step.tool.args) {
    const interval = ofType(type);
    if (interval !== undefined) args.set(name, interval);
  }
  const responds = new Map(
    [...step.tool.responds].flatMap(([name, { type }]) => {
      const interval = ofType(type);
      return interval === undefined ? [] : [[name, interval] as const];
    }),
  );
  const bounds: Bounds = { plan, args, responds };
  const conditions = conditionsOf(step, plan);
  // Twice, because one condition can bound an argument by another one.
  for (let round = 0; round < 2; round++) for (const condition of conditions) narrow(condition, bounds, args);
  return bounds;
}

function narrow(condition: Expression, bounds: Bounds, args: Map<string, Interval>): void {
  if (condition.op !== '=' && condition.op !== '<=' && condition.op !== '<') return;
  const { left, right } = condition;
  const [low, high] = [intervalOf(left, bounds), intervalOf(right, bounds)];
  const strict = condition.op === '<' ? 1n : 0n;
  if (low === undefined || high === undefined) return;
  limit(left, { min: condition.op === '=' ? high.min : -WIDEST, max: high.max - strict }, args);
  limit(right, { min: low.min + strict, max: condition.op === '=' ? low.max : WIDEST }, args);
}

/** Limits an argument, if the expression is one. Contradicting bounds are left: the conditions themselves say so. */
function limit(expression: Expression, { min, max }: Interval, args: Map<string, Interval>): void {
  if (expression.op !== 'reference' || expression.scope !== 'arg') return;
  const old = args.get(expression.name);
  if (old === undefined) return;
  const narrowed = { min: greater(min, old.min), max: lesser(max, old.max) };
  if (narrowed.min <= narrowed.max) args.set(expression.name, narrowed);
}

/** Bounds of a number. Undefined if the expression is not a number. */
export function intervalOf(expression: Expression, bounds: Bounds): Interval | undefined {
  const inner = (operand: Expression) => intervalOf(operand, bounds);
  switch (expression.op) {
    case 'literal':
      return typeof expression.value === 'bigint' ? { min: expression.value, max: expression.value } : undefined;
    case 'reference':
      return ofReference(expression.scope, expression.name, bounds);
    case 'part':
      if (expression.binder !== bounds.binder) return ofType(expression.type);
      if (expression.part === 'arg') return bounds.args.get(expression.name);
      return expression.part === 'resp' ? bounds.responds.get(expression.name) : ofType(expression.type);
    case 'look': {
      const table = bounds.plan.tables.get(expression.table);
      return table && (columnInterval(table, expression.column) ?? ofType(expression.type));
    }
    case 'at':
      return ofType(expression.type);
    case '+':
      return expression.args.map(inner).reduce(plus, { min: 0n, max: 0n });
    case '*': {
      const of = inner(expression.arg);
      return of && times(of, expression.by);
    }
    case 'min':
    case 'max':
      return extreme(expression.op, inner(expression.left), inner(expression.right));
    case 'ite':
      return union(inner(expression.whenTrue), inner(expression.whenFalse));
    case 'div': {
      const of = inner(expression.arg);
      const most = of && greater(of.max, -of.min);
      return most === undefined ? undefined : { min: -most, max: most };
    }
    default:
      return undefined;
  }
}

function ofReference(scope: string, name: string, { plan, args, responds }: Bounds): Interval | undefined {
  switch (scope) {
    case 'arg':
      return args.get(name);
    case 'resp':
      return responds.get(name);
    case 'var': {
      const value = plan.variables.get(name)?.value;
      return typeof value === 'bigint' ? { min: value, max: value } : undefined;
    }
    default: {
      const type = plan.state.get(name)?.type;
      return type && ofType(type);
    }
  }
}

export const ofType = (type: ValueType): Interval | undefined =>
  'min' in type ? { min: type.min, max: type.max } : undefined;

const columns = new WeakMap<Table, Map<string, Interval | undefined>>();

/** The least and the greatest number in a column. Undefined if the column has no numbers. */
export function columnInterval(table: Table, column: string): Interval | undefined {
  const known = columns.get(table) ?? new Map<string, Interval | undefined>();
  columns.set(table, known);
  if (!known.has(column)) known.set(column, spanOf(table.rows.map((row) => row[defined(table.positions.get(column))])));
  return known.get(column);
}

function spanOf(values: readonly (Value | undefined)[]): Interval | undefined {
  const numbers = values.filter((value) => typeof value === 'bigint');
  const [first] = numbers;
  if (first === undefined || numbers.length < values.length) return undefined;
  return { min: numbers.reduce(lesser, first), max: numbers.reduce(greater, first) };
}

const lesser = (a: bigint, b: bigint): bigint => (b < a ? b : a);
const greater = (a: bigint, b: bigint): bigint => (b > a ? b : a);

function plus(a: Interval | undefined, b: Interval | undefined): Interval | undefined {
  return a && b && { min: a.min + b.min, max: a.max + b.max };
}

export function times({ min, max }: Interval, by: bigint): Interval {
  return by < 0n ? { min: max * by, max: min * by } : { min: min * by, max: max * by };
}

function union(a: Interval | undefined, b: Interval | undefined): Interval | undefined {
  return a && b && { min: lesser(a.min, b.min), max: greater(a.max, b.max) };
}

function extreme(op: 'min' | 'max', a: Interval | undefined, b: Interval | undefined): Interval | undefined {
  const pick = op === 'min' ? lesser : greater;
  return a && b && { min: pick(a.min, b.min), max: pick(a.max, b.max) };
}

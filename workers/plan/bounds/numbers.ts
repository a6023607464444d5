import { defined } from '../../exact/defined.ts';
import { effectsOn } from '../expressions.ts';
import type { Expression, Quantified, Range, Reference } from '../language/terms.ts';
import { TIME, type ValueType, withoutBounds } from '../language/types.ts';
import type { Value } from '../language/values.ts';
import type { Plan, Step, Table } from '../plan.ts';
import { ANY, both, type Interval, maxOf, minOf, plus, point, sumsOf } from './interval.ts';
import { bounded, intervalOf, type Linear, type Numbers, named } from './linear.ts';

/** The name of a number of an action in {@link numbersOfAction}. */
export const nameOf = (scope: 'arg' | 'resp', name: string): string => `${scope} ${name}`;

/** Bounds of a type, apart from that a number has at most 38 digits. */
export function ofType(type: ValueType): Interval {
  if (!('min' in type)) return ANY;
  const widest = withoutBounds(type);
  if (type.type === 'time' || type.type === 'duration' || !('min' in widest)) return { min: type.min, max: type.max };
  return { min: type.min === widest.min ? undefined : type.min, max: type.max === widest.max ? undefined : type.max };
}

/**
 * The numbers of an action of a step, by {@link nameOf}.
 * @param boundsOf what is known of them
 * @param binder how the expression names the action. Undefined: it has the names of the action itself
 */
export function numbersOfAction(plan: Plan, boundsOf: (name: string) => Interval, binder?: string): Numbers {
  return numbersIn(plan, new Map(), boundsOf, (leaf) => {
    if (leaf.op === 'part' && leaf.binder === binder && (leaf.part === 'arg' || leaf.part === 'resp'))
      return named(nameOf(leaf.part, leaf.name));
    const isOwn = leaf.op === 'reference' && (leaf.scope === 'arg' || leaf.scope === 'resp');
    return isOwn && binder === undefined ? named(nameOf(leaf.scope, leaf.name)) : undefined;
  });
}

/** @param nameIn a name for a leaf, or undefined if it has none */
export function numbersIn(
  plan: Plan,
  ranges: ReadonlyMap<string, Range>,
  boundsOf: (name: string) => Interval,
  nameIn: (leaf: Expression) => Linear | undefined,
): Numbers {
  const numbers: Numbers = {
    boundsOf,
    linearOf: (leaf) => nameIn(leaf) ?? bounded(intervalOfLeaf(leaf, plan, { ranges, numbers })),
    inside: ({ binder, range }) => numbersIn(plan, new Map([...ranges, [binder, range]]), boundsOf, nameIn),
  };
  return numbers;
}

interface Place {
  /** What the names of elements range over. */
  readonly ranges: ReadonlyMap<string, Range>;
  readonly numbers: Numbers;
}

function intervalOfLeaf(leaf: Expression, plan: Plan, place: Place): Interval {
  switch (leaf.op) {
    case 'reference': {
      const constant = leaf.scope === 'var' ? plan.variables.get(leaf.name)?.value : undefined;
      if (constant !== undefined) return typeof constant === 'bigint' ? point(constant) : ANY;
      const isState = (leaf.scope === 'state' || leaf.scope === 'final') && plan.state.has(leaf.name);
      return isState ? intervalOfState(leaf.name, plan) : ANY;
    }
    case 'part': {
      const range = place.ranges.get(leaf.binder);
      return leaf.part === 'col' && range?.kind === 'table'
        ? (columnInterval(tableOf(plan, range.name), leaf.name) ?? ANY)
        : ofType(leaf.type);
    }
    case 'look':
      return columnInterval(tableOf(plan, leaf.table), leaf.column) ?? ANY;
    case 'at':
      return ofType(leaf.type);
    case 'own':
      return ofType(TIME);
    case 'number':
    case 'total':
    case 'least':
    case 'greatest':
      return intervalOfAggregate(leaf, plan, place);
    default:
      return ANY;
  }
}

function intervalOfAggregate(node: Quantified, plan: Plan, { numbers }: Place): Interval {
  const { op, body, condition, range } = node;
  const each = body === undefined ? point(1n) : intervalOf(body, numbers.inside(node));
  if (op === 'least' || op === 'greatest') return each;
  const all = countOf(range, plan);
  if (condition !== undefined) return sumsOf(each, { min: 0, max: all.max });
  const isColumn = range.kind === 'table' && body?.op === 'part' && body.binder === node.binder && body.part === 'col';
  return isColumn ? point(columnTotal(tableOf(plan, range.name), body.name)) : sumsOf(each, all);
}

function countOf(range: Range, plan: Plan): { readonly min: number; readonly max: number } {
  if (range.kind === 'step') return stepOf(plan, range.name);
  const rows = tableOf(plan, range.name).rows.length;
  return { min: rows, max: rows };
}

export const stepOf = (plan: Plan, id: string): Step => defined(plan.steps.find(({ stepId }) => stepId === id));
const tableOf = (plan: Plan, name: string): Table => defined(plan.tables.get(name));

/**
 * Bounds of the numbers in a column. A look-up in a table without rows has no value, so any bounds are those of its values.
 * @returns undefined if the column has no numbers
 */
export function columnInterval(table: Table, column: string): Interval | undefined {
  if (!('min' in defined(table.columns.get(column)))) return undefined;
  const kept = intervals.get(table) ?? new Map<string, Interval>();
  intervals.set(table, kept);
  const found = kept.get(column) ?? spanOf(numbersInColumn(table, column));
  kept.set(column, found);
  return found;
}

const intervals = new WeakMap<Table, Map<string, Interval>>();

const spanOf = (values: readonly bigint[]): Interval => ({ min: minOf(values) ?? 0n, max: maxOf(values) ?? 0n });

export const columnTotal = (table: Table, column: string): bigint =>
  numbersInColumn(table, column).reduce((sum, value) => sum + value, 0n);

export function numbersInColumn({ rows, positions }: Table, column: string): readonly bigint[] {
  const position = defined(positions.get(column));
  return rows.flatMap((row) => {
    const value: Value | undefined = row[position];
    return typeof value === 'bigint' ? [value] : [];
  });
}

/** What an effect such as `balance - amount` adds to the state. Undefined for other effects. */
export function addedTo(state: string, effect: Expression): Expression | undefined {
  if (effect.op !== '+') return undefined;
  const others = effect.args.filter(
    (term) => !(term.op === 'reference' && term.scope === 'state' && term.name === state),
  );
  return others.length === effect.args.length - 1 ? { op: '+', args: others } : undefined;
}

const reached = new WeakMap<Plan, Map<string, Interval>>();

/** Bounds of a state in every run: where it begins, what actions can add to it by their types, and its own type. */
function intervalOfState(name: string, plan: Plan): Interval {
  const ofPlan = reached.get(plan) ?? new Map<string, Interval>();
  reached.set(plan, ofPlan);
  const { type, value } = defined(plan.state.get(name));
  const found = ofPlan.get(name) ?? both(ofType(type), typeof value === 'bigint' ? reachable(name, value, plan) : ANY);
  ofPlan.set(name, found);
  return found;
}

function reachable(name: string, begins: bigint, plan: Plan): Interval {
  let range = point(begins);
  for (const step of plan.steps) {
    const numbers = numbersIn(
      plan,
      new Map(),
      () => ANY,
      (leaf) => {
        if (leaf.op !== 'reference' || leaf.scope === 'var') return undefined;
        const type = typeIn(leaf, step, plan);
        return bounded(type === undefined ? ANY : ofType(type));
      },
    );
    for (const effect of effectsOn(name, step)) {
      const added = addedTo(name, effect);
      const change = added === undefined ? ANY : intervalOf(added, numbers);
      range = plus(range, sumsOf(change, { min: 0, max: step.max }));
    }
  }
  return range;
}

/** The type of a name of an action: an argument, a field of the response, or a state. */
function typeIn({ scope, name }: Reference, { tool }: Step, plan: Plan): ValueType | undefined {
  if (scope === 'arg') return tool.args.get(name);
  return scope === 'resp' ? tool.responds.get(name)?.type : plan.state.get(name)?.type;
}

import type { Decimal } from '../../exact/numbers.ts';
import type { StepDocument } from '../../exact/plan-schema.ts';
import { code } from '../markdown/escape.ts';
import { argumentOf, asOwn, type Expr, isPart, operandsOf, operatorOf } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, namedRulesOf, type PlanParts, type Row, rulesOf } from '../parts/plan-parts.ts';
import {
  descending,
  divide,
  isAtMost,
  type Limit,
  least,
  multiply,
  ONE,
  subtract,
  times,
  toAmount,
  total,
  ZERO,
} from './amount.ts';
import { mostActions, uniqueArguments } from './counts.ts';
import { ANY, both, greatestOf, type Interval, scaled } from './interval.ts';
import { boundsFrom, type Linear, linearOf, literalOf } from './linear.ts';
import { listedValues, valuesOf } from './listed-values.ts';
import { columnOf, type NumberPart, rangeOf, scaleIn, scaleOf, siteOf } from './step-ranges.ts';

/** What a number of a step can be at most, and why. Undefined limits are none. */
export interface NumberBound {
  readonly part: NumberPart;
  /** In one action. */
  readonly each: Limit;
  /** Over all actions of one run. */
  readonly all: Limit;
  readonly isNonNegative: boolean;
  /** Where the limit of the run comes from, in words. */
  readonly reason: string;
}

/**
 * Bounds a number of a step, by what the plan says alone: types, conditions, tables and rules. The bound holds for every run
 * that obeys the plan, but need not be reached.
 */
export function boundNumber(step: StepDocument, part: NumberPart, parts: PlanParts, only?: RowFilter): NumberBound {
  const range = rangeOf(step, part, parts);
  const columns = columnsAbove(step, part, parts).map((one) => ({ ...one, cells: cellsOf(one.look, only, parts) }));
  const largest = columns.map(({ cells, by }) => cells && multiply(cells.toSorted(descending)[0] ?? ZERO, by));
  const most = least([range.greatest, ...largest.map((limit) => limit && rounded(limit, step, part, parts))]);
  const isNonNegative = isAboveZero(range);
  if (!isNonNegative) return { part, each: most, all: undefined, isNonNegative, reason: NEGATIVE };
  const count = mostActions(step, parts);
  const candidates = [
    { limit: most && times(most, count), reason: `${count} times the most of one action` },
    ...byRules(step, part, parts),
    { limit: byRows(step, part, columns, parts), reason: 'each row of its table is used at most once' },
    ...byStates(step, part, parts),
    ...byMaps(step, part, parts),
  ];
  const limit = least(candidates.map((one) => one.limit));
  const reason =
    candidates.find((one) => one.limit !== undefined && one.limit === limit)?.reason ?? 'nothing limits it';
  // Where even the least is too much, there are no such actions.
  const all = limit && greatestOf([limit, ZERO]);
  return { part, each: least([most && greatestOf([most, ZERO]), all]), all, isNonNegative, reason };
}

interface Candidate {
  readonly limit: Limit;
  readonly reason: string;
}

const NEGATIVE = 'it may be negative, so a sum does not limit what moves';

const isAboveZero = ({ least }: Interval): boolean => least !== undefined && isAtMost(ZERO, least);

/** Rules such as `sum(pay, p, p.amount) + … <= cap`. What else is in the sum counts as little as it can be. */
function byRules(step: StepDocument, part: NumberPart, parts: PlanParts): readonly Candidate[] {
  const site = siteOf({
    parts,
    isTarget: () => false,
    scale: scaleOf(step, part, parts),
    own: () => ANY,
    bound: new Map(),
    inside: (expr) => sumOf(expr, { step, part }, parts),
  });
  return namedRulesOf(parts).map(({ id, expr }) => ({
    limit: boundsFrom(expr, site).greatest,
    reason: id === undefined ? 'a rule of a sheet' : `the rule ${code(id)}`,
  }));
}

/** A sum over a step, in terms of the sum of the number over all actions of its own step. */
function sumOf(
  expr: Expr,
  target: { readonly step: StepDocument; readonly part: NumberPart },
  parts: PlanParts,
): Linear | undefined {
  const [range, binder, body, condition] = operandsOf(expr, 'sum') ?? [];
  const step = parts.plan.steps.find(({ step_id }) => step_id === range);
  if (step === undefined || typeof binder !== 'string') return undefined;
  const isOurs = step.step_id === target.step.step_id && condition === undefined;
  const site = siteOf({
    parts,
    isTarget: (one) => isOurs && isPart(one, target.part),
    scale: 0,
    own: (part) => rangeOf(step, part, parts),
    bound: new Map(),
  });
  const { coefficient, rest } = linearOf(asOwn(body, binder), site);
  return { coefficient, rest: upTo(step.max, rest) };
}

/** Bounds of the sum of none to `count` numbers. */
function upTo(count: number, each: Interval): Interval {
  const all = scaled(each, { numerator: BigInt(count), scale: 0 });
  return {
    least: isAboveZero(each) ? ZERO : all.least,
    greatest: each.greatest && (isAtMost(each.greatest, ZERO) ? ZERO : all.greatest),
  };
}

/** A column than which a number is at most so many times larger. */
interface ColumnAbove {
  readonly look: Expr;
  readonly by: Decimal;
}

/** Columns of the rows that the conditions look up, than which the number is not greater. */
const columnsAbove = (step: StepDocument, part: NumberPart, parts: PlanParts): readonly ColumnAbove[] =>
  conditionsOf(step, parts).flatMap((condition) => {
    const [left, right] = operandsOf(condition, '<', '<=', '=') ?? operandsOf(condition, '>', '>=')?.toReversed() ?? [];
    if (isPart(left, part)) return looksIn(right);
    return operatorOf(condition) === '=' && isPart(right, part) ? looksIn(left) : [];
  });

function looksIn(expr: Expr): readonly ColumnAbove[] {
  if (operatorOf(expr) === 'look') return [{ look: expr, by: ONE }];
  const least = operandsOf(expr, 'min');
  if (least !== undefined) return least.flatMap(looksIn);
  const [left, right] = operandsOf(expr, '*') ?? [];
  const by = literalOf(left) ?? literalOf(right);
  const look = literalOf(left) === undefined ? left : right;
  return by !== undefined && isAtMost(ZERO, by) && operatorOf(look) === 'look' ? [{ look, by }] : [];
}

/** Some rows of the table in which a look-up finds a row. */
export interface RowFilter {
  readonly isSameRow: (look: Expr) => boolean;
  readonly isOurs: (row: Row) => boolean;
}

/** The numbers of the column, in the rows that are asked about. Undefined if the rows are not known. */
function cellsOf(look: Expr, only: RowFilter | undefined, parts: PlanParts): readonly Decimal[] | undefined {
  const [table, column] = operandsOf(look, 'look') ?? [];
  return columnOf(parts, table, column, only?.isSameRow(look) ? only.isOurs : undefined);
}

/** The total of a table's column, if the number is at most that of a row, and a rule says that no row is used twice. */
function byRows(
  step: StepDocument,
  part: NumberPart,
  columns: readonly (ColumnAbove & { readonly cells: readonly Decimal[] | undefined })[],
  parts: PlanParts,
): Limit {
  const totals = columns.map(({ look, by, cells }): Limit => {
    const keys = operandsOf(look, 'look')?.[2];
    const names = Array.isArray(keys) ? keys.map((key: unknown) => argumentOf(key)) : [undefined];
    if (cells === undefined || names.includes(undefined) || !isUsedOnce(step.step_id, new Set(names), parts))
      return undefined;
    const most = cells
      .filter((cell) => isAtMost(ZERO, cell))
      .toSorted(descending)
      .slice(0, step.max);
    const sum = total(most);
    return sum && multiply(sum, by);
  });
  const most = least(totals);
  return most && rounded(most, step, part, parts);
}

const rounded = (limit: Decimal, step: StepDocument, part: NumberPart, parts: PlanParts): Decimal =>
  divide(limit, ONE, scaleOf(step, part, parts), 'down');

/** Whether a rule forbids two actions with the same key: it is unique already by some parts of the key. */
const isUsedOnce = (stepId: string, key: ReadonlySet<unknown>, parts: PlanParts): boolean =>
  uniqueArguments(stepId, parts).some((names) => names.every((name) => key.has(name)));

/** A state with a lower bound from which every action takes the number, and to which nothing adds. */
function byStates(step: StepDocument, part: NumberPart, parts: PlanParts): readonly Candidate[] {
  return effectsOf(step, parts).flatMap(([state, effect]) => {
    if (!isPart(takenFrom(state, effect), part)) return [];
    const type = fieldsOf(parts.plan.state[state]);
    const initial = toAmount(type.get('initial'));
    const floor = greatestOf([toAmount(type.get('min')), endOf(state, parts).least]);
    if (
      initial === undefined ||
      floor === undefined ||
      !changesOnlyBy((change) => takenFrom(state, change), state, parts)
    )
      return [];
    return [{ limit: subtract(initial, floor), reason: `the state ${code(state)} that it uses up` }];
  });
}

/** What an effect such as `["-",["state","left"],e]` takes from its own state. */
function takenFrom(state: string, effect: Expr): Expr {
  const [before, taken, ...more] = operandsOf(effect, '-') ?? [];
  return operandsOf(before, 'state')?.[0] === state && more.length === 0 ? taken : undefined;
}

/** What the rules say of a state at the end of a run. */
function endOf(state: string, parts: PlanParts): Interval {
  const isTarget = (expr: Expr) => operandsOf(expr, 'final')?.[0] === state;
  const site = siteOf({
    parts,
    isTarget,
    scale: scaleIn(fieldsOf(parts.plan.state[state])),
    own: () => ANY,
    bound: new Map(),
  });
  return rulesOf(parts)
    .map((rule) => boundsFrom(rule, site))
    .reduce(both, ANY);
}

/** The effects of an action of a step: those of its tool, and its own. */
const effectsOf = (step: StepDocument, parts: PlanParts): readonly (readonly [state: string, effect: Expr])[] => [
  ...fieldsOf(parts.tools.get(step.tool)?.effects),
  ...fieldsOf(step.effects),
];

/**
 * Whether every change of a state or a map is by a number that is not below zero. A tool that is not described may change anything.
 * @param amountOf what an effect takes or adds
 */
const changesOnlyBy = (amountOf: (effect: Expr) => Expr, state: string, parts: PlanParts): boolean =>
  parts.plan.steps.every((step) => {
    const own = (part: NumberPart) => rangeOf(step, part, parts);
    const site = siteOf({ parts, isTarget: () => false, scale: 0, own, bound: new Map() });
    const amounts = effectsOf(step, parts).flatMap(([changed, effect]) =>
      changed === state ? [amountOf(effect)] : [],
    );
    const isAbove = (amount: Expr) => amount !== undefined && isAboveZero(linearOf(amount, site).rest);
    return parts.tools.has(step.tool) && amounts.every(isAbove);
  });

/**
 * A map with an upper bound for each key, to which every action adds the number at one of few keys, and from which nothing
 * takes.
 */
function byMaps(step: StepDocument, part: NumberPart, parts: PlanParts): readonly Candidate[] {
  return effectsOf(step, parts).flatMap(([map, effect]) => {
    const { key, added } = raised(map, effect) ?? {};
    if (!isPart(added, part)) return [];
    const type = fieldsOf(parts.plan.state[map]);
    const begins = toAmount(type.get('default'));
    const value = fieldsOf(type.get('value'));
    const most = least([
      toAmount(value.get('max')),
      mostAfter([['at', 'state', map, key], added], step, parts, scaleIn(value)),
    ]);
    const name = argumentOf(key);
    const keys = name === undefined ? valuesOf(key, parts) : listedValues(step, name, parts);
    if (begins === undefined || most === undefined || keys === undefined) return [];
    if (!changesOnlyBy((change) => raised(map, change)?.added, map, parts)) return [];
    return [{ limit: times(subtract(most, begins), keys.length), reason: `the map ${code(map)}, for each key` }];
  });
}

/** What the conditions of a step say that the sum of two numbers is at most. */
function mostAfter([one, other]: readonly [Expr, Expr], step: StepDocument, parts: PlanParts, scale: number): Limit {
  const sums = [JSON.stringify(['+', one, other]), JSON.stringify(['+', other, one])];
  const isTarget = (expr: Expr) => sums.includes(JSON.stringify(expr));
  const own = (part: NumberPart) => rangeOf(step, part, parts);
  const site = siteOf({ parts, isTarget, scale, own, bound: new Map() });
  return least(conditionsOf(step, parts).map((condition) => boundsFrom(condition, site).greatest));
}

/** The key and the number of an effect such as `[{"key":k,"value":["+",["at","state","paid",k],e]}]`, which adds e at k. */
function raised(map: string, effect: Expr): { readonly key: Expr; readonly added: Expr } | undefined {
  const [entry, ...others]: readonly unknown[] = Array.isArray(effect) ? effect : [];
  const [key, value] = [fieldsOf(entry).get('key'), fieldsOf(entry).get('value')];
  const operands = operandsOf(value, '+') ?? [];
  const before = JSON.stringify(['at', 'state', map, key]);
  const added = operands.filter((operand) => JSON.stringify(operand) !== before);
  return others.length === 0 && operands.length === 2 && added.length === 1 ? { key, added: added[0] } : undefined;
}

/** Adds up numbers of rows. */
export const columnTotal = (rows: readonly Readonly<Record<string, unknown>>[], column: string): Limit =>
  total(rows.map((row) => toAmount(row[column])));

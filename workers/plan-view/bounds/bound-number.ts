import type { StepDocument } from '../../exact/plan-schema.ts';
import { argumentOf, asOwn, type Expr, isPart, operandsOf, operatorOf } from '../parts/expression.ts';
import { conditionsOf, fieldsOf, type PlanParts, rulesOf } from '../parts/plan-parts.ts';
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
import { ANY, type Interval, scaled } from './interval.ts';
import { boundsFrom, type Linear, linearOf, literalOf } from './linear.ts';
import { columnOf, type NumberPart, rangeOf, scaleOf, siteOf } from './step-ranges.ts';

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
export function boundNumber(step: StepDocument, part: NumberPart, parts: PlanParts): NumberBound {
  const range = rangeOf(step, part, parts);
  const most = range.greatest;
  const isNonNegative = isAboveZero(range);
  if (!isNonNegative) return { part, each: most, all: undefined, isNonNegative, reason: NEGATIVE };
  const candidates = [
    { limit: most && times(most, step.max), reason: `${step.max} times the most of one action` },
    { limit: byRules(step, part, parts), reason: 'a rule limits the sum' },
    { limit: byRows(step, part, parts), reason: 'each row of its table is used at most once' },
    { limit: byState(step, part, parts), reason: 'a state that it uses up' },
  ];
  const all = least(candidates.map(({ limit }) => limit));
  const reason = candidates.find(({ limit }) => limit !== undefined && limit === all)?.reason ?? 'nothing limits it';
  return { part, each: least([most, all]), all, isNonNegative, reason };
}

const NEGATIVE = 'it may be negative, so a sum does not limit what moves';

const isAboveZero = ({ least }: Interval): boolean => least !== undefined && isAtMost(ZERO, least);

/** Rules such as `sum(pay, p, p.amount) + … <= cap`. What else is in the sum counts as little as it can be. */
function byRules(step: StepDocument, part: NumberPart, parts: PlanParts): Limit {
  const site = siteOf({
    parts,
    isTarget: () => false,
    scale: scaleOf(step, part, parts),
    own: () => ANY,
    bound: new Map(),
    inside: (expr) => sumOf(expr, { step, part }, parts),
  });
  return least(rulesOf(parts).map((rule) => boundsFrom(rule, site).greatest));
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

/** The total of a table's column, if the number is at most that of a row, and a rule says that no row is used twice. */
function byRows(step: StepDocument, part: NumberPart, parts: PlanParts): Limit {
  const limits = conditionsOf(step, parts).flatMap((condition) => {
    const [left, right] = operandsOf(condition, '<', '<=', '=') ?? operandsOf(condition, '>', '>=')?.toReversed() ?? [];
    if (isPart(left, part)) return looksIn(right);
    return operatorOf(condition) === '=' && isPart(right, part) ? looksIn(left) : [];
  });
  const most = least(limits.map(({ look, by }) => totalOfRows(step, look, by, parts)));
  return most && divide(most, ONE, scaleOf(step, part, parts), 'down');
}

interface ScaledLook {
  readonly look: Expr;
  readonly by: Limit;
}

/** Look-ups, each times a number, than which the expression is not greater. */
function looksIn(expr: Expr): readonly ScaledLook[] {
  if (operatorOf(expr) === 'look') return [{ look: expr, by: ONE }];
  const least = operandsOf(expr, 'min');
  if (least !== undefined) return least.flatMap(looksIn);
  const [left, right] = operandsOf(expr, '*') ?? [];
  const by = literalOf(left) ?? literalOf(right);
  const look = literalOf(left) === undefined ? left : right;
  return by !== undefined && isAtMost(ZERO, by) && operatorOf(look) === 'look' ? [{ look, by }] : [];
}

function totalOfRows(step: StepDocument, look: Expr, by: Limit, parts: PlanParts): Limit {
  const [table, name, keys] = operandsOf(look, 'look') ?? [];
  const column = columnOf(parts, table, name);
  if (column === undefined || by === undefined || !Array.isArray(keys)) return undefined;
  const names = keys.map((key: unknown) => argumentOf(key));
  if (!names.every((one) => one !== undefined) || !isUsedOnce(step.step_id, new Set(names), parts)) return undefined;
  const most = column
    .filter((value) => isAtMost(ZERO, value))
    .toSorted(descending)
    .slice(0, step.max);
  const sum = total(most);
  return sum && multiply(sum, by);
}

/** Whether a rule forbids two actions with the same key: it is unique already by some parts of the key. */
function isUsedOnce(stepId: string, key: ReadonlySet<unknown>, parts: PlanParts): boolean {
  return rulesOf(parts).some((rule) => {
    const operands = operandsOf(rule, 'unique');
    const [range, binder, keys] = operands ?? [];
    if (operands?.length !== 3 || range !== stepId || !Array.isArray(keys)) return false;
    return keys.every((part: unknown) => {
      const [of, name] = operandsOf(part, 'arg') ?? [];
      return of === binder && typeof name === 'string' && key.has(name);
    });
  });
}

/** A state with a lower bound from which every action takes the number, and to which nothing adds. */
function byState(step: StepDocument, part: NumberPart, parts: PlanParts): Limit {
  const effects = [...fieldsOf(parts.tools.get(step.tool)?.effects), ...fieldsOf(step.effects)];
  const limits = effects.map(([state, effect]): Limit => {
    if (!isPart(takenFrom(state, effect), part)) return undefined;
    const type = fieldsOf(parts.plan.state[state]);
    const [initial, floor] = [toAmount(type.get('initial')), toAmount(type.get('min'))];
    if (initial === undefined || floor === undefined || !onlyFalls(state, parts)) return undefined;
    return subtract(initial, floor);
  });
  return least(limits);
}

/** What an effect such as `["-",["state","left"],e]` takes from its own state. */
function takenFrom(state: string, effect: Expr): Expr {
  const [before, taken, ...more] = operandsOf(effect, '-') ?? [];
  return operandsOf(before, 'state')?.[0] === state && more.length === 0 ? taken : undefined;
}

function onlyFalls(state: string, parts: PlanParts): boolean {
  return parts.plan.steps.every((step) => {
    const tool = parts.tools.get(step.tool);
    if (tool === undefined) return false;
    const effects = [fieldsOf(tool.effects).get(state), fieldsOf(step.effects).get(state)];
    const own = (part: NumberPart) => rangeOf(step, part, parts);
    const site = siteOf({ parts, isTarget: () => false, scale: 0, own, bound: new Map() });
    return effects.every((effect) => {
      if (effect === undefined) return true;
      const taken = takenFrom(state, effect);
      return taken !== undefined && isAboveZero(linearOf(taken, site).rest);
    });
  });
}

/** Adds up numbers of rows. */
export const columnTotal = (rows: readonly Readonly<Record<string, unknown>>[], column: string): Limit =>
  total(rows.map((row) => toAmount(row[column])));

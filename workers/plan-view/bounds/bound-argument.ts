import type { StepDocument } from '../../exact/plan-schema.ts';
import { argumentOf, type Expr, operandsOf, operatorOf } from '../parts/expression.ts';
import { conditionsOf, type PlanParts, type Row, rulesOf } from '../parts/plan-parts.ts';
import { descending, isAtMost, type Limit, least, subtract, times, toAmount, total, ZERO } from './amount.ts';

/** What an argument of a step can be at most, and why. Undefined limits are none. */
export interface ArgumentBound {
  readonly argument: string;
  /** In one action. */
  readonly each: Limit;
  /** Over all actions of one run. */
  readonly all: Limit;
  readonly isNonNegative: boolean;
  /** Where the limit of the run comes from, in words. */
  readonly reason: string;
}

const FLIPPED: ReadonlyMap<string, string> = new Map([
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
  ['=', '='],
]);

/** A comparison of an argument with something, the argument on the left. */
interface Comparison {
  readonly operator: string;
  readonly other: Expr;
}

/**
 * Bounds a number among the arguments of a step, by what the plan says alone: types, conditions, tables and rules. The
 * bound holds for every run that obeys the plan, but need not be reached.
 */
export function boundArgument(step: StepDocument, argument: string, parts: PlanParts): ArgumentBound {
  const type = fieldsOf(fieldsOf(parts.tools.get(step.tool)?.args).get(argument));
  const comparisons = conditionsOf(step, parts.plan).flatMap((expr) => comparisonsWith(expr, argument));
  const above = comparisons.filter(({ operator }) => operator === '<' || operator === '<=' || operator === '=');
  const each = least([toAmount(type.get('max')), ...above.map(({ other }) => largest(other, parts))]);
  const isNonNegative = isNeverNegative(step, argument, parts);
  if (!isNonNegative) return { argument, each, all: undefined, isNonNegative, reason: NEGATIVE };
  const candidates = [
    { limit: each && times(each, step.max), reason: `${step.max} times the most of one action` },
    { limit: byRules(step, argument, parts), reason: 'a rule limits the sum' },
    { limit: byRows(step, above, parts), reason: 'each row of its table is used at most once' },
    { limit: byState(step, argument, parts), reason: 'a state that it uses up' },
  ];
  const all = least(candidates.map(({ limit }) => limit));
  const reason = candidates.find(({ limit }) => limit !== undefined && limit === all)?.reason ?? 'nothing limits it';
  return { argument, each, all, isNonNegative, reason };
}

const NEGATIVE = 'it may be negative, so a sum does not limit what moves';

function comparisonsWith(expr: Expr, argument: string): readonly Comparison[] {
  const operator = operatorOf(expr);
  const flipped = operator === undefined ? undefined : FLIPPED.get(operator);
  const [left, right] = operandsOf(expr) ?? [];
  if (operator === undefined || flipped === undefined) return [];
  if (argumentOf(left) === argument) return [{ operator, other: right }];
  return argumentOf(right) === argument ? [{ operator: flipped, other: left }] : [];
}

/** The greatest value that an expression of constants and tables can have. */
function largest(expr: Expr, parts: PlanParts): Limit {
  const constant = constantOf(expr, parts);
  if (constant !== undefined) return constant;
  const minimum = operandsOf(expr, 'min');
  if (minimum !== undefined) return least(minimum.map((operand) => largest(operand, parts)));
  return columnOf(expr, parts)?.toSorted(descending)[0];
}

function smallest(expr: Expr, parts: PlanParts): Limit {
  return constantOf(expr, parts) ?? columnOf(expr, parts)?.toSorted(descending).at(-1);
}

/** The value of a literal or of a given value. */
export function constantOf(expr: Expr, { plan }: PlanParts): Limit {
  if (typeof expr === 'number') return toAmount(expr);
  const [text] = operandsOf(expr, 'dec', 'int') ?? [];
  if (text !== undefined) return toAmount(text);
  const [name] = operandsOf(expr, 'var') ?? [];
  return typeof name === 'string' ? toAmount(fieldsOf(plan.variables[name]).get('value')) : undefined;
}

/** The numbers of a column that a look-up reads. */
function columnOf(expr: Expr, { rows }: PlanParts) {
  const [table, column] = operandsOf(expr, 'look') ?? [];
  if (typeof table !== 'string' || typeof column !== 'string') return undefined;
  return rows.get(table)?.flatMap((row) => toAmount(row[column]) ?? []);
}

/** Rules such as `sum(pay, p, p.amount) + … <= cap`. Every other summand must be such a sum too. */
function byRules(step: StepDocument, argument: string, parts: PlanParts): Limit {
  const limits = rulesOf(parts.plan).map((rule): Limit => {
    const operator = operatorOf(rule);
    const [left, right] = operandsOf(rule, '<', '<=', '>', '>=', '=') ?? [];
    const isFlipped = operator === '>' || operator === '>=';
    const [sum, limit] = isFlipped ? [right, left] : [left, right];
    const summands = operandsOf(sum, '+') ?? [sum];
    const isOurs = summands.some((summand) => isSumOf(summand, step.step_id, argument));
    return isOurs && summands.every((summand) => isNonNegativeSum(summand, parts))
      ? constantOf(limit, parts)
      : undefined;
  });
  return least(limits);
}

function isSumOf(expr: Expr, stepId: string, argument: string): boolean {
  const operands = operandsOf(expr, 'sum');
  const [range, binder, value] = operands ?? [];
  if (operands?.length !== 3 || range !== stepId) return false;
  const [of, name] = operandsOf(value, 'arg') ?? [];
  return of === binder && name === argument;
}

function isNonNegativeSum(expr: Expr, parts: PlanParts): boolean {
  const [range, binder, value] = operandsOf(expr, 'sum') ?? [];
  const [of, name] = operandsOf(value, 'arg') ?? [];
  const step = parts.plan.steps.find(({ step_id }) => step_id === range);
  if (step === undefined || of !== binder || typeof name !== 'string') return false;
  return isNeverNegative(step, name, parts);
}

/** Whether the type or a condition keeps an argument from being negative. */
function isNeverNegative(step: StepDocument, argument: string, parts: PlanParts): boolean {
  const type = fieldsOf(fieldsOf(parts.tools.get(step.tool)?.args).get(argument));
  const floors = conditionsOf(step, parts.plan)
    .flatMap((condition) => comparisonsWith(condition, argument))
    .filter(({ operator }) => operator === '>' || operator === '>=' || operator === '=')
    .map(({ other }) => smallest(other, parts));
  return [toAmount(type.get('min')), ...floors].some((floor) => floor !== undefined && isAtMost(ZERO, floor));
}

/** The total of a table's column, if the amount is at most that of a row, and a rule says that no row is used twice. */
function byRows(step: StepDocument, above: readonly Comparison[], parts: PlanParts): Limit {
  const limits = above.map(({ other }): Limit => {
    const [table, , keys] = operandsOf(other, 'look') ?? [];
    const column = columnOf(other, parts);
    if (typeof table !== 'string' || column === undefined || !Array.isArray(keys)) return undefined;
    const names = keys.map((key: unknown) => argumentOf(key));
    if (!names.every((name) => name !== undefined) || !isUsedOnce(step.step_id, new Set(names), parts))
      return undefined;
    const most = column
      .filter((value) => isAtMost(ZERO, value))
      .toSorted(descending)
      .slice(0, step.max);
    return total(most);
  });
  return least(limits);
}

/** Whether a rule forbids two actions with the same key: it is unique already by some parts of the key. */
function isUsedOnce(stepId: string, key: ReadonlySet<string | undefined>, { plan }: PlanParts): boolean {
  return rulesOf(plan).some((rule) => {
    const operands = operandsOf(rule, 'unique');
    const [range, binder, keys] = operands ?? [];
    if (operands?.length !== 3 || range !== stepId || !Array.isArray(keys)) return false;
    return keys.every((part: unknown) => {
      const [of, name] = operandsOf(part, 'arg') ?? [];
      return of === binder && typeof name === 'string' && key.has(name);
    });
  });
}

/** A state with a lower bound from which every action takes the argument, and to which nothing adds. */
function byState(step: StepDocument, argument: string, parts: PlanParts): Limit {
  const effects = [...fieldsOf(parts.tools.get(step.tool)?.effects), ...fieldsOf(step.effects)];
  const limits = effects.map(([state, effect]): Limit => {
    const [before, taken, ...more] = operandsOf(effect, '-') ?? [];
    if (operandsOf(before, 'state')?.[0] !== state || argumentOf(taken) !== argument || more.length > 0)
      return undefined;
    const type = fieldsOf(parts.plan.state[state]);
    const [initial, floor] = [toAmount(type.get('initial')), toAmount(type.get('min'))];
    if (initial === undefined || floor === undefined || !onlyFalls(state, parts)) return undefined;
    return subtract(initial, floor);
  });
  return least(limits);
}

function onlyFalls(state: string, parts: PlanParts): boolean {
  return parts.plan.steps.every((step) => {
    const tool = parts.tools.get(step.tool);
    if (tool === undefined) return false;
    const effects = [fieldsOf(tool.effects).get(state), fieldsOf(step.effects).get(state)];
    return effects.every((effect) => {
      if (effect === undefined) return true;
      const [before, taken, ...more] = operandsOf(effect, '-') ?? [];
      const name = argumentOf(taken);
      const isSubtraction = operandsOf(before, 'state')?.[0] === state && more.length === 0;
      return (
        isSubtraction && (isConstantTaken(taken, parts) || (name !== undefined && isNeverNegative(step, name, parts)))
      );
    });
  });
}

function isConstantTaken(taken: Expr, parts: PlanParts): boolean {
  const constant = constantOf(taken, parts);
  return constant !== undefined && isAtMost(ZERO, constant);
}

/** The members of a JSON object, by name. */
export function fieldsOf(json: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof json === 'object' && json !== null && !Array.isArray(json) ? Object.entries(json) : []);
}

/** Numbers among the arguments of a step's tool. */
export function numbersOf(step: StepDocument, { tools }: PlanParts): readonly string[] {
  return [...fieldsOf(tools.get(step.tool)?.args)].flatMap(([name, type]) => {
    const kind = fieldsOf(type).get('type');
    return kind === 'decimal' || kind === 'int' ? [name] : [];
  });
}

/** The total of a column over all rows. */
export const columnTotal = (rows: readonly Row[], column: string): Limit =>
  total(rows.map((row) => toAmount(row[column])));

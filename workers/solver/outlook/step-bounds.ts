import { defined } from '../../exact/defined.ts';
import type { Expression } from '../language/terms.ts';
import { type ValueType, withoutBounds } from '../language/types.ts';
import { formatValue } from '../language/values.ts';
import type { Plan, Step } from '../plan/plan.ts';
import type { NumberBounds, StepBounds } from '../run/step-bounds.ts';
import { conditionsOf } from './conditions.ts';
import { boundsOfStep, intervalOf } from './intervals.ts';

/** Bounds that follow from types, conditions, tables and rules about sums. There may be narrower ones. */
export function stepBounds(plan: Plan): readonly StepBounds[] {
  return plan.steps.map((step) => {
    const { args } = boundsOfStep(step, plan);
    const numbers = [...step.tool.args].flatMap(([name, type]): readonly NumberBounds[] => {
      const interval = args.get(name);
      if (interval === undefined || (type.type !== 'int' && type.type !== 'decimal')) return [];
      const widest = withoutBounds(type);
      const isWide = (bound: bigint) => 'max' in widest && (bound === widest.max || bound === -widest.max);
      const say = (bound: bigint) => (isWide(bound) ? null : String(formatValue(bound, type)));
      const totals = [
        ...(isWide(interval.max) ? [] : [interval.max > 0n ? interval.max * BigInt(step.max) : 0n]),
        ...ruledTotals(plan, step, { name, type }),
        ...tableTotal(plan, step, name),
      ];
      const total = totals.reduce<bigint | undefined>((a, b) => (a === undefined || b < a ? b : a), undefined);
      return [
        {
          name,
          least: say(interval.min),
          greatest: say(interval.max),
          total: total === undefined ? null : String(formatValue(total, type)),
        },
      ];
    });
    return { step_id: step.stepId, min: step.min, max: step.max, numbers };
  });
}

interface Argument {
  readonly name: string;
  readonly type: ValueType;
}

/** Bounds of rules such as `sum(pay, p, p.amount) <= cap`. */
function ruledTotals(plan: Plan, { stepId }: Step, { name }: Argument): readonly bigint[] {
  const none = { plan, args: new Map(), responds: new Map() };
  return plan.constraints.flatMap(({ expression }) => {
    if (expression.op !== '<=' && expression.op !== '<') return [];
    const { left, right } = expression;
    const isSum =
      left.op === 'total' &&
      left.range.kind === 'step' &&
      left.range.name === stepId &&
      left.condition === undefined &&
      left.body?.op === 'part' &&
      left.body.part === 'arg' &&
      left.body.name === name;
    const bound = isSum && mentionsOnlyConstants(right) ? intervalOf(right, none) : undefined;
    return bound === undefined ? [] : [expression.op === '<' ? bound.max - 1n : bound.max];
  });
}

const mentionsOnlyConstants = (expression: Expression): boolean =>
  expression.op === 'literal' || (expression.op === 'reference' && expression.scope === 'var');

/** The sum of the largest numbers in a table, if each action takes its number from a row and no two take the same one. */
function tableTotal(plan: Plan, step: Step, name: string): readonly bigint[] {
  return conditionsOf(step, plan).flatMap((condition) => {
    if (condition.op !== '=') return [];
    const [own, look] =
      condition.left.op === 'look' ? [condition.right, condition.left] : [condition.left, condition.right];
    if (look.op !== 'look' || own.op !== 'reference' || own.scope !== 'arg' || own.name !== name) return [];
    const keys = look.keys.flatMap((key) => (key.op === 'reference' && key.scope === 'arg' ? [key.name] : []));
    const table = plan.tables.get(look.table);
    if (table === undefined || keys.length < look.keys.length || !isUniqueBy(plan, step, keys)) return [];
    const position = defined(table.positions.get(look.column));
    const values = table.rows.map((row) => row[position]).filter((value) => typeof value === 'bigint');
    const positive = values.filter((value) => value > 0n).sort((a, b) => (a < b ? 1 : a > b ? -1 : 0));
    return [positive.slice(0, step.max).reduce((sum, value) => sum + value, 0n)];
  });
}

/** Whether a rule says that no two actions have equal values of these arguments, or of some of them. */
function isUniqueBy(plan: Plan, { stepId }: Step, names: readonly string[]): boolean {
  return plan.constraints.some(({ expression }) => {
    if (expression.op !== 'unique' || expression.range.kind !== 'step' || expression.range.name !== stepId)
      return false;
    if (expression.condition !== undefined) return false;
    return expression.keys.every((key) => key.op === 'part' && key.part === 'arg' && names.includes(key.name));
  });
}

import { defined } from '../../exact/defined.ts';
import { claimsOfStep } from '../claims.ts';
import type { Expression, Lookup } from '../language/terms.ts';
import { argumentOf } from '../own-parts.ts';
import type { Plan, Step, TableRow } from '../plan.ts';
import { allRuns } from './all-runs.ts';
import { countOfValues, uniqueArguments } from './distinct-actions.ts';
import { ANY, floorDivide, type Limit, maxOf, minOf, point } from './interval.ts';
import { add, bounded, fromDifference } from './linear.ts';
import { mapMoves } from './maps.ts';
import { nameOf, stepOf } from './numbers.ts';
import { limitsOf, maxActions, sumName } from './run-bounds.ts';
import { casesOf, isImpossible, provenNumbers, rangesOf, type StepNumber } from './step-ranges.ts';

/** What sets the limit of a sum. */
export type Reason =
  | { readonly kind: 'each'; readonly times: number }
  | { readonly kind: 'rule'; readonly id: string | undefined }
  | { readonly kind: 'state' | 'map'; readonly name: string }
  | { readonly kind: 'rows' };

/** What a number of a step can be at most, and why. Limits are numerators at the scale of its type. */
export interface NumberBound {
  readonly number: StepNumber;
  /** At least, in one action. */
  readonly min: Limit;
  /** At most, in one action. */
  readonly each: Limit;
  /** At most, over all actions of one run. */
  readonly all: Limit;
  /** At most, over all actions of all runs that the approval covers. */
  readonly runs: Limit;
  /** Whether it is never negative. Otherwise, a sum does not limit what moves, and there is no `all`. */
  readonly isNonNegative: boolean;
  /** Undefined: nothing limits the sum. */
  readonly reason: Reason | undefined;
}

/** Some rows of the table in which a look-up finds a row. */
export interface RowFilter {
  readonly isSameRow: (look: Lookup) => boolean;
  readonly isOurs: (row: TableRow) => boolean;
}

/**
 * Bounds a number of a step by what the plan says: types, conditions, tables and rules. The bounds hold for every run that obeys
 * the plan.
 * @param only where it is known which rows of a table are used
 */
export function boundNumber(step: Step, number: StepNumber, plan: Plan, only?: RowFilter): NumberBound {
  const bound = boundInRun(step, number, plan, only);
  const { all } = bound;
  if (plan.maxExecutions === 1 && plan.runs.length === 0) return { ...bound, runs: all };
  const together = allRuns(plan);
  const inAll = boundInRun(stepOf(together, step.stepId), number, together, only);
  const runs = minOf([all === undefined ? undefined : all * BigInt(plan.maxExecutions), inAll.all]);
  // What bounds all runs bounds each.
  if (runs === undefined || (all !== undefined && all <= runs)) return { ...bound, runs };
  return { ...bound, runs, all: runs, each: minOf([bound.each, runs]), reason: inAll.reason };
}

function boundInRun(step: Step, number: StepNumber, plan: Plan, only?: RowFilter): Omit<NumberBound, 'runs'> {
  const ranges = rangesOf(step, plan, 'proven');
  if (isImpossible(ranges)) return nothingOf(number);
  const range = ranges.get(nameOf(number.scope, number.name)) ?? ANY;
  const columns = columnsAbove(step, number, plan).map((column) => ({
    ...column,
    limits: limitsIn(column, plan, only),
  }));
  const max = minOf([range.max, ...columns.map(({ limits }) => maxOf(limits) ?? 0n), ...inEntries(step, number, plan)]);
  const isNonNegative = range.min !== undefined && range.min >= 0n;
  if (!isNonNegative) return { number, min: range.min, each: max, all: undefined, isNonNegative, reason: undefined };
  const times = maxActions(step, plan);
  const candidates: readonly Candidate[] = [
    ...(max === undefined ? [] : [{ limit: max * BigInt(times), reason: { kind: 'each', times } } as const]),
    ...limitsOf(sumName(step.stepId, nameOf(number.scope, number.name)), plan).map(({ by, limit }) => ({
      limit,
      reason: by,
    })),
    ...columns.flatMap((column) => byRows(step, column, plan)),
    ...byValues(step, number, times, plan),
  ];
  const all = minOf(candidates.map(({ limit }) => limit));
  const reason = candidates.find(({ limit }) => limit === all)?.reason;
  // Where even the least is too much, there are no such actions.
  const aboveZero = (limit: Limit) => limit && maxOf([limit, 0n]);
  return {
    number,
    min: range.min,
    each: minOf([aboveZero(max), aboveZero(all)]),
    all: aboveZero(all),
    isNonNegative,
    reason,
  };
}

/** There are no such actions. */
const nothingOf = (number: StepNumber): Omit<NumberBound, 'runs'> => ({
  number,
  min: undefined,
  each: 0n,
  all: 0n,
  isNonNegative: true,
  reason: { kind: 'each', times: 0 },
});

/** At most, as one action moves no more than one entry of a map has room for. */
const inEntries = (step: Step, { scope, name }: StepNumber, plan: Plan): readonly Limit[] =>
  mapMoves(plan)
    .filter((move) => move.step === step)
    .map(({ moved, room }) => {
      const difference = add(moved, bounded(point(-room)));
      return fromDifference('<=', difference, provenNumbers(step, plan)).get(nameOf(scope, name))?.max;
    });

interface Candidate {
  readonly limit: bigint;
  readonly reason: Reason;
}

/** A column that a number times `times` is at most, when that is multiplied with `by` and `less` is taken off. */
interface ColumnAbove {
  readonly look: Lookup;
  readonly by: bigint;
  readonly times: bigint;
  readonly less: bigint;
}

/** Columns of the rows that the conditions look up, which limit the number. */
function columnsAbove(step: Step, { scope, name }: StepNumber, plan: Plan): readonly ColumnAbove[] {
  const timesOf = (side: Expression): bigint | undefined => {
    const own = side.op === '*' ? side.arg : side;
    const isIt = own.op === 'reference' && own.scope === scope && own.name === name;
    const times = side.op === '*' ? side.by : 1n;
    return isIt && times > 0n ? times : undefined;
  };
  return claimsOfStep(step, plan).flatMap((condition) => {
    if (condition.op !== '=' && condition.op !== '<' && condition.op !== '<=') return [];
    const sides = [
      [condition.left, condition.right] as const,
      ...(condition.op === '=' ? [[condition.right, condition.left] as const] : []),
    ];
    return sides.flatMap(([low, high]) => {
      const times = timesOf(low);
      const less = condition.op === '<' ? 1n : 0n;
      return times === undefined ? [] : looksIn(high).map((look) => ({ ...look, times, less }));
    });
  });
}

function looksIn(expression: Expression): readonly Pick<ColumnAbove, 'look' | 'by'>[] {
  switch (expression.op) {
    case 'look':
      return [{ look: expression, by: 1n }];
    case 'min':
      return [...looksIn(expression.left), ...looksIn(expression.right)];
    case '*':
      return expression.by < 0n
        ? []
        : looksIn(expression.arg).map(({ look, by }) => ({ look, by: by * expression.by }));
    default:
      return [];
  }
}

/** The limit that each row sets, of those that are asked about. */
function limitsIn({ look, by, times, less }: ColumnAbove, plan: Plan, only: RowFilter | undefined): readonly bigint[] {
  const { rows, positions } = defined(plan.tables.get(look.table));
  const position = defined(positions.get(look.column));
  const asked = only?.isSameRow(look) ? rows.filter(only.isOurs) : rows;
  return asked.flatMap((row) => {
    const cell = row[position];
    return typeof cell === 'bigint' ? [floorDivide(cell * by - less, times)] : [];
  });
}

/** The total of a table's column, if the number is at most that of a row, and a rule says that no row is used twice. */
function byRows(
  step: Step,
  { look, limits }: ColumnAbove & { readonly limits: readonly bigint[] },
  plan: Plan,
): readonly Candidate[] {
  const names = look.keys.map(argumentOf);
  const isUsedOnce = uniqueArguments(step, plan).some(({ names: unique }) =>
    unique.every((name) => names.includes(name)),
  );
  if (names.includes(undefined) || !isUsedOnce) return [];
  const largest = limits
    .filter((limit) => limit >= 0n)
    .toSorted((one, other) => (one > other ? -1 : one < other ? 1 : 0));
  return [{ limit: largest.slice(0, step.max).reduce((sum, limit) => sum + limit, 0n), reason: { kind: 'rows' } }];
}

/**
 * Where no two actions may be the same, each value of an argument can be used only as often as the other arguments can differ.
 */
const byValues = (step: Step, { scope, name }: StepNumber, times: number, plan: Plan): readonly Candidate[] =>
  uniqueArguments(step, plan).flatMap(({ id, names }) =>
    names.flatMap((argument) => {
      const values = [...(casesOf(step, argument, plan)?.values() ?? [])];
      const limits = values.flatMap((ranges) => ranges.get(nameOf(scope, name))?.max ?? []);
      if (limits.length === 0 || limits.length < values.length) return [];
      const others = names.filter((other) => other !== argument);
      const uses = others.reduce((product, other) => product * countOfValues(step, other, plan), 1);
      let [left, sum] = [times, 0n];
      for (const limit of limits.toSorted((one, other) => (one > other ? -1 : one < other ? 1 : 0))) {
        sum += limit * BigInt(Math.min(left, uses));
        left -= Math.min(left, uses);
      }
      return [{ limit: sum, reason: { kind: 'rule', id } as const }];
    }),
  );

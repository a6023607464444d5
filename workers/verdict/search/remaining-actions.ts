import { defined } from '../../exact/defined.ts';
import { ANY, type Interval } from '../../plan/bounds/interval.ts';
import { intervalOf, type Linear, linearOf } from '../../plan/bounds/linear.ts';
import { numbersOfAction } from '../../plan/bounds/numbers.ts';
import { rangesOf } from '../../plan/bounds/step-ranges.ts';
import { type Expression, literal, type Term } from '../../plan/language/terms.ts';
import type { ValueType } from '../../plan/language/types.ts';
import type { Plan, Step } from '../../plan/plan.ts';
import type { EncodingSession, Scope } from '../elaborate/scope.ts';
import type { StepAllowance } from './continuations.ts';
import type { Args } from './links.ts';
import { listedRows } from './listed-rows.ts';

/** The actions of a step that may follow, described by a few numbers. */
export interface RemainingActions {
  readonly step: Step;
  /** How many follow. */
  readonly count: Term;
  /** The sum of an expression over them, or over some of them. */
  readonly sum: (expression: Expression, options?: SumOptions) => Term;
  /** The sums of single numbers of the actions that rules ask for so far, with the bounds of these numbers. */
  readonly bases: () => readonly Base[];
  /** How many have each row, if every one has a listed row. */
  readonly rows: readonly CountedRow[] | undefined;
}

interface SumOptions {
  /** Whether it is a sum over some of them. */
  readonly isPartial?: boolean;
  /** How the expression names them. Undefined: it has the names of the action itself. */
  readonly binder?: string;
}

export interface Base {
  readonly scope: 'arg' | 'resp';
  readonly name: string;
  readonly sum: Term;
  readonly interval: Interval;
}

export interface CountedRow {
  readonly args: Args;
  readonly times: Term;
}

const BIG = 10n ** 96n;
/** Sums of many large numbers may have more digits than a number of a plan. */
const SUM: ValueType = { type: 'int', min: -BIG, max: BIG };

/** Steps with actions that may follow. */
export function remainingActionsOf(
  plan: Plan,
  remaining: readonly StepAllowance[],
  { session, actionOf }: RemainingOptions,
): ReadonlyMap<string, RemainingActions> {
  const open = remaining.filter(({ left }) => left > 0);
  return new Map(open.map((one) => [one.step.stepId, createRemaining(plan, one, { session, actionOf })]));
}

/** The variable of how many actions of a step follow. */
export const countKey = (stepId: string): string => `/completion/${stepId}/count`;

interface RemainingOptions {
  readonly session: EncodingSession;
  /** Some action of the step. */
  readonly actionOf: (step: Step) => Scope;
}

function createRemaining(
  plan: Plan,
  { step, left }: StepAllowance,
  { session, actionOf }: RemainingOptions,
): RemainingActions {
  const path = `/completion/${step.stepId}`;
  const count = session.open(countKey(step.stepId), { type: 'int', min: 0n, max: BigInt(left) });
  const ranges = rangesOf(step, plan, 'open');
  const boundsOf = (name: string) => ranges.get(name) ?? ANY;
  const sums = new Map<string, Base>();
  const rows = listedRows(step, plan, actionOf(step))?.map((args, index): CountedRow => {
    session.spend(4);
    return { args, times: session.open(`${path}/rows/${index}`, { type: 'int', min: 0n, max: BigInt(left) }) };
  });
  if (rows !== undefined) {
    const all = sumOf(rows.map(({ times }) => times));
    session.facts.push({ id: `${path}/rows`, term: { op: '=', left: count, right: all } });
  }

  /** A number between the least and the greatest sum of values within these bounds. */
  function within({ min = -BIG, max = BIG }: Interval, isPartial: boolean): Term {
    const sum = session.open(`${path}/sum/${session.variables.size}`, SUM);
    const low = isPartial && min > 0n ? 0n : min;
    const high = isPartial && max < 0n ? 0n : max;
    const facts: Term[] = [
      { op: '<=', left: { op: '*', arg: count, by: low }, right: sum },
      { op: '<=', left: sum, right: { op: '*', arg: count, by: high } },
    ];
    session.spend(12);
    session.facts.push({ id: `${path}/sum`, term: { op: 'and', args: facts } });
    return sum;
  }

  /** The sum of one number of each action. Rules and effects share it. */
  function base(name: string): Term {
    const known = sums.get(name);
    if (known !== undefined) return known.sum;
    const [word, field] = name.split(' ');
    const scope = word === 'arg' ? 'arg' : 'resp';
    const interval = boundsOf(name);
    const sum = within(interval, false);
    sums.set(name, { scope, name: defined(field), sum, interval });
    return sum;
  }

  return {
    step,
    count,
    bases: () => [...sums.values()],
    rows,
    sum(expression, { isPartial = false, binder } = {}) {
      const numbers = numbersOfAction(plan, boundsOf, binder);
      if (isPartial) return within(intervalOf(expression, numbers), true);
      const { factors, rest } = linearOf(expression, numbers);
      const constant = rest.min !== undefined && rest.min === rest.max ? rest.min : undefined;
      const exact = rows && constant !== undefined ? sumOfRows({ constant, factors }, rows) : undefined;
      if (exact !== undefined) return exact;
      const others: Term = constant === undefined ? within(rest, false) : { op: '*', arg: count, by: constant };
      const parts = [...factors].map(([name, by]): Term => ({ op: '*', arg: base(name), by }));
      return sumOf([others, ...parts]);
    },
  };
}

export const sumOf = (terms: readonly Term[]): Term => {
  const [only] = terms;
  if (only === undefined) return literal(0n);
  return terms.length === 1 ? only : { op: '+', args: terms };
};

/** Undefined if the sum has numbers that the rows do not give. */
function sumOfRows(
  { constant, factors }: Pick<Linear, 'factors'> & { readonly constant: bigint },
  rows: readonly CountedRow[],
): Term | undefined {
  const args: Term[] = [];
  for (const { args: row, times } of rows) {
    let by = constant;
    for (const [name, factor] of factors) {
      const [scope, field = ''] = name.split(' ');
      const value = scope === 'arg' ? row.get(field) : undefined;
      if (typeof value !== 'bigint') return undefined;
      by += factor * value;
    }
    args.push({ op: '*', arg: times, by });
  }
  return sumOf(args);
}

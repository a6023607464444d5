import { defined } from '../../exact/defined.ts';
import { claimsOfStep } from '../claims.ts';
import { effectsOf } from '../expressions.ts';
import type { Expression } from '../language/terms.ts';
import type { ValueType } from '../language/types.ts';
import { rowFor } from '../own-parts.ts';
import type { Plan, Step } from '../plan.ts';
import { ANY, both, type Interval } from './interval.ts';
import { type Bounds, boundsFrom, type Numbers } from './linear.ts';
import { columnInterval, nameOf, numbersOfAction, ofType } from './numbers.ts';

/**
 * `open`: of actions that may follow, where rules and conditions are asked about as well. Bounds that contradict each other are
 * left: the conditions themselves say so. `proven`: of the actions in runs that pass, whose responses also meet the conditions
 * of the tool. If there is no such action, the least is above the greatest.
 */
type Runs = 'open' | 'proven';

/**
 * Bounds of the numbers of every action of a step, by {@link nameOf}: those of their types, and those that conditions and rules
 * about single actions set.
 */
export function rangesOf(step: Step, plan: Plan, runs: Runs): Bounds {
  const ofPlan = known[runs].get(plan) ?? new Map<Step, Bounds>();
  known[runs].set(plan, ofPlan);
  const found = ofPlan.get(step) ?? computeRanges(step, plan, runs);
  ofPlan.set(step, found);
  return found;
}

const known: Readonly<Record<Runs, WeakMap<Plan, Map<Step, Bounds>>>> = { open: new WeakMap(), proven: new WeakMap() };

function computeRanges(step: Step, plan: Plan, runs: Runs): Bounds {
  const post = runs === 'open' ? [] : step.tool.post.map(({ expression }) => expression);
  const claims: readonly Expression[] = [...claimsOfStep(step, plan), ...post];
  const narrow = (one: Interval, other: Interval) => {
    const range = both(one, other);
    return runs === 'proven' || !isEmpty(range) ? range : one;
  };
  let ranges: Bounds = new Map(
    numbersOf(step).map(({ scope, name, type }) => {
      const keys = scope === 'arg' ? ofKeys(name, step, plan) : [];
      return [nameOf(scope, name), keys.reduce(narrow, ofType(type))];
    }),
  );
  // Twice, because a condition can bound a number by another one, which conditions bound.
  for (let round = 0; round < 2; round += 1) {
    const before = ranges;
    const numbers = numbersOfAction(plan, (name) => before.get(name) ?? ANY);
    const narrowed = new Map(before);
    for (const claim of claims) {
      for (const [name, bounds] of boundsFrom(claim, numbers)) {
        const old = narrowed.get(name);
        if (old !== undefined) narrowed.set(name, narrow(old, bounds));
      }
    }
    ranges = narrowed;
  }
  return ranges;
}

/** The numbers of an action of a step in runs that pass. @param binder as for {@link numbersOfAction} */
export function provenNumbers(step: Step, plan: Plan, binder?: string): Numbers {
  const ranges = rangesOf(step, plan, 'proven');
  return numbersOfAction(plan, (name) => ranges.get(name) ?? ANY, binder);
}

/** Bounds of an argument that is a key: of the rows that conditions and effects look up. A missing row has no value. */
function ofKeys(argument: string, step: Step, plan: Plan): readonly Interval[] {
  const effects = [...effectsOf(step), ...effectsOf(step.tool)];
  const computed = effects.map((effect): Expression => ({ op: '=', left: effect, right: effect }));
  return [...claimsOfStep(step, plan), ...computed].flatMap((condition) => {
    const row = rowFor(condition, argument);
    const table = row && defined(plan.tables.get(row.table));
    return (table && columnInterval(table, defined(table.key[row.position]))) ?? [];
  });
}

export const isEmpty = ({ min, max }: Interval): boolean => min !== undefined && max !== undefined && min > max;

/** A number of the actions of a step. */
export interface StepNumber {
  readonly scope: 'arg' | 'resp';
  readonly name: string;
  readonly type: ValueType;
}

/** What can have bounds among the arguments and in the response: numbers, times and durations. */
export function numbersOf({ tool }: Step): readonly StepNumber[] {
  const responds = Array.from(tool.responds, ([name, { type }]) => [name, type] as const);
  return [
    ...Array.from(tool.args, ([name, type]): StepNumber => ({ scope: 'arg', name, type })),
    ...responds.map(([name, type]): StepNumber => ({ scope: 'resp', name, type })),
  ].filter(({ type }) => 'min' in type);
}

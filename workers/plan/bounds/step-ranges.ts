import { claimsOfStep } from '../claims.ts';
import type { Expression } from '../../solver/language/terms.ts';
import type { ValueType } from '../../solver/language/types.ts';
import type { Plan, Step } from '../../solver/plan/plan.ts';
import { ANY, both, type Interval } from './interval.ts';
import { type Bounds, boundsFrom } from './linear.ts';
import { nameOf, numbersOfAction, ofType } from './numbers.ts';

/**
 * Bounds of the numbers of every action of a step, by {@link nameOf}: those of their types, and those that conditions and rules
 * about single actions set.
 * @param withPost whether the conditions of the tool count, which a run can break until it is replayed
 */
export function rangesOf(step: Step, plan: Plan, withPost: boolean): Bounds {
  const known = withPost ? withPosts : withoutPosts;
  const ofPlan = known.get(plan) ?? new Map<Step, Bounds>();
  known.set(plan, ofPlan);
  const found = ofPlan.get(step) ?? computeRanges(step, plan, withPost);
  ofPlan.set(step, found);
  return found;
}

const withPosts = new WeakMap<Plan, Map<Step, Bounds>>();
const withoutPosts = new WeakMap<Plan, Map<Step, Bounds>>();

function computeRanges(step: Step, plan: Plan, withPost: boolean): Bounds {
  const post = withPost ? step.tool.post.map(({ expression }) => expression) : [];
  const claims: readonly Expression[] = [...claimsOfStep(step, plan), ...post];
  let ranges: Bounds = new Map(numbersOf(step).map(({ scope, name, type }) => [nameOf(scope, name), ofType(type)]));
  // Twice, because a condition can bound a number by another one, which conditions bound.
  for (let round = 0; round < 2; round += 1) {
    const before = ranges;
    const numbers = numbersOfAction(plan, (name) => before.get(name) ?? ANY);
    const narrowed = new Map(before);
    for (const claim of claims) {
      for (const [name, bounds] of boundsFrom(claim, numbers)) narrow(narrowed, name, bounds);
    }
    ranges = narrowed;
  }
  return ranges;
}

/** Bounds that contradict each other are left: the conditions themselves say so. */
function narrow(ranges: Map<string, Interval>, name: string, bounds: Interval): void {
  const old = ranges.get(name);
  const { min, max } = both(old ?? ANY, bounds);
  if (old !== undefined && (min === undefined || max === undefined || min <= max)) ranges.set(name, { min, max });
}

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

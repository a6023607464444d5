import { claimsOfRun } from '../claims.ts';
import { effectsOn } from '../expressions.ts';
import type { Expression, Quantified } from '../language/terms.ts';
import type { Plan, Step } from '../plan.ts';
import { guardOf } from './after.ts';
import { allRuns } from './all-runs.ts';
import { distinctActions } from './distinct-actions.ts';
import { ANY, both, type Interval, maxOf, minOf, plus, point, sumsOf } from './interval.ts';
import {
  add,
  type Bounds,
  bounded,
  boundsFrom,
  fromDifference,
  type Linear,
  linearOf,
  multiply,
  named,
} from './linear.ts';
import { mapMoves } from './maps.ts';
import { addedTo, numbersIn, ofType, stepOf } from './numbers.ts';
import { provenNumbers, rangesOf } from './step-ranges.ts';

/** The name of the sum of a number over all actions of a step, and of their count. */
export const sumName = (stepId: string, number: string): string => `sum ${stepId} ${number}`;
export const countName = (stepId: string): string => `count ${stepId}`;

/** What limits a whole run: a rule of the plan, of a sheet (without an id), or the type of a state or of a map's entries. */
export interface RunLimit {
  readonly by:
    | { readonly kind: 'rule'; readonly id: string | undefined }
    | { readonly kind: 'state' | 'map'; readonly name: string };
  /** By {@link sumName} and {@link countName}. */
  readonly bounds: Bounds;
}

/** The bounds of sums and counts that each rule and each state sets. They hold for every run that obeys the plan. */
export function runLimits(plan: Plan): readonly RunLimit[] {
  const found = known.get(plan) ?? computeLimits(plan);
  known.set(plan, found);
  return found;
}

const known = new WeakMap<Plan, readonly RunLimit[]>();

function computeLimits(plan: Plan): readonly RunLimit[] {
  const bases = new Map(plan.steps.flatMap((step) => basesOf(step, plan)));
  const first = limitsWithin(bases, plan);
  // Again, because a rule can bound a sum by another one, which rules bound.
  const narrowed = Array.from(bases, ([name, base]) => {
    return [name, first.reduce((range, { bounds }) => both(range, bounds.get(name) ?? ANY), base)] as const;
  });
  return limitsWithin(new Map(narrowed), plan);
}

/** Each rule is read in terms of sums, and again with counts in place of the sums. */
function limitsWithin(bases: Bounds, plan: Plan): readonly RunLimit[] {
  const ofSums = new Map(
    plan.steps.flatMap((step) =>
      Array.from(rangesOf(step, plan, 'proven'), ([number, each]) => {
        return [sumName(step.stepId, number), inCounts(each, step)] as const;
      }),
    ),
  );
  const toCounts = ({ factors, rest }: Linear): Linear =>
    Array.from(factors, ([name, by]) => multiply(ofSums.get(name) ?? named(name), by)).reduce(add, bounded(rest));
  return [(sums: Linear) => sums, toCounts].flatMap((toTerms) => limitsInTerms(toTerms, bases, plan));
}

function limitsInTerms(toTerms: (sums: Linear) => Linear, bases: Bounds, plan: Plan): readonly RunLimit[] {
  const numbers = numbersIn(
    plan,
    new Map(),
    (name) => bases.get(name) ?? ANY,
    (leaf) => {
      const sums = linearInRun(leaf, plan);
      return sums && toTerms(sums);
    },
  );
  const rules = claimsOfRun(plan).map(
    ({ id, expression }): RunLimit => ({ by: { kind: 'rule', id }, bounds: boundsFrom(expression, numbers) }),
  );
  const maps = mapMoves(plan).map(({ step, map, moved, room, keys }): RunLimit => {
    const difference = add(toTerms(overActions(moved, step)), bounded(point(-room * keys)));
    return { by: { kind: 'map', name: map }, bounds: fromDifference('<=', difference, numbers) };
  });
  const states = Array.from(plan.state, ([name, { type, value: begins }]): RunLimit => {
    const { min, max } = both(ofType(type), typeof begins === 'bigint' ? guardOf(name, begins, plan) : ANY);
    const value: Expression = { op: 'reference', scope: 'final', name };
    const args = [min === undefined ? [] : [atMost(min, value)], max === undefined ? [] : [atMost(value, max)]].flat();
    return { by: { kind: 'state', name }, bounds: boundsFrom({ op: 'and', args }, numbers) };
  });
  return [...rules, ...states, ...maps];
}

const asExpression = (side: Expression | bigint): Expression =>
  typeof side === 'bigint' ? { op: 'literal', value: side } : side;
const atMost = (left: Expression | bigint, right: Expression | bigint): Expression => ({
  op: '<=',
  left: asExpression(left),
  right: asExpression(right),
});

/** What is known of sums and counts without any rule. */
function basesOf(step: Step, plan: Plan): readonly (readonly [string, Interval])[] {
  const times = { min: step.min, max: distinctActions(step, plan) };
  const ranges = rangesOf(step, plan, 'proven');
  return [
    [countName(step.stepId), { min: BigInt(times.min), max: BigInt(times.max) }],
    ...Array.from(ranges, ([number, each]) => [sumName(step.stepId, number), sumsOf(each, times)] as const),
  ];
}

/** The sum of a number of each action: as often the value nearest to 0 as there are actions, and what others are farther from 0. */
function inCounts(each: Interval, { stepId, max }: Step): Linear {
  const near = maxOf([each.min, 0n]) || minOf([each.max, 0n]) || 0n;
  const farther = sumsOf(plus(each, point(-near)), { min: 0, max });
  return add(multiply(named(countName(stepId)), near), bounded(farther));
}

/** Sums and counts of actions, and states at the end, in terms of named numbers. */
function linearInRun(leaf: Expression, plan: Plan): Linear | undefined {
  if (leaf.op === 'reference' && leaf.scope === 'final') return finalOf(leaf.name, plan);
  if ((leaf.op !== 'total' && leaf.op !== 'number') || leaf.range.kind !== 'step' || leaf.condition !== undefined)
    return undefined;
  const step = stepOf(plan, leaf.range.name);
  return leaf.op === 'number' ? named(countName(step.stepId)) : sumOver(step, leaf, plan);
}

function sumOver(step: Step, { binder, body }: Quantified, plan: Plan): Linear | undefined {
  if (body === undefined) return undefined;
  const numbers = provenNumbers(step, plan, binder);
  return overActions(linearOf(body, numbers), step);
}

/** The sum of a number of each action of a step. */
function overActions({ factors, rest }: Linear, step: Step): Linear {
  const sums = Array.from(factors, ([name, by]) => multiply(named(sumName(step.stepId, name)), by));
  return sums.reduce(add, inCounts(rest, step));
}

/** A state at the end: where it begins, and what actions add. Undefined if they do anything else to it. */
function finalOf(name: string, plan: Plan): Linear | undefined {
  const begins = plan.state.get(name)?.value;
  if (typeof begins !== 'bigint') return undefined;
  let value = bounded(point(begins));
  for (const step of plan.steps) {
    const numbers = provenNumbers(step, plan);
    for (const effect of effectsOn(name, step)) {
      const added = addedTo(name, effect);
      if (added === undefined) return undefined;
      value = add(value, overActions(linearOf(added, numbers), step));
    }
  }
  return value;
}

/** The limits of a named sum or count, each with what sets it. */
export const limitsOf = (name: string, plan: Plan) =>
  runLimits(plan).flatMap(({ by, bounds }) => {
    const limit = bounds.get(name)?.max;
    return limit === undefined ? [] : [{ by, limit }];
  });

/**
 * How often a step can be done in one run: as often as it says, or less where a rule counts its actions, or wants them to differ
 * and there are fewer values in which they can differ.
 */
export function maxActions(step: Step, plan: Plan): number {
  const counted = minOf(limitsOf(countName(step.stepId), plan).map(({ limit }) => limit));
  const possible = Math.min(distinctActions(step, plan), plan.runs.length === 0 ? step.max : inAllRuns(step, plan));
  // Where fewer are possible than it wants, lint says so.
  return Math.max(step.min, counted === undefined ? possible : Math.min(possible, Number(counted)));
}

/** How often a step can be done in all runs that the approval covers. */
export const maxActionsOfRuns = (step: Step, plan: Plan): number =>
  Math.min(inAllRuns(step, plan), maxActions(step, plan) * plan.maxExecutions);

/** As the rules over the runs say. */
function inAllRuns({ stepId }: Step, plan: Plan): number {
  const together = allRuns(plan);
  return maxActions(stepOf(together, stepId), together);
}

import { claimsOfRun } from '../claims.ts';
import { effectsOn } from '../expressions.ts';
import type { Expression, Quantified } from '../language/terms.ts';
import type { Plan, Step } from '../plan.ts';
import { guardOf } from './after.ts';
import { ANY, both, type Interval, point, sumsOf } from './interval.ts';
import { add, type Bounds, bounded, boundsFrom, type Linear, linearOf, multiply, named } from './linear.ts';
import { addedTo, numbersIn, ofType, stepOf } from './numbers.ts';
import { provenNumbers, rangesOf } from './step-ranges.ts';

/** The name of the sum of a number over all actions of a step, and of their count. */
export const sumName = (stepId: string, number: string): string => `sum ${stepId} ${number}`;
export const countName = (stepId: string): string => `count ${stepId}`;

/** What limits a whole run: a rule of the plan, of a sheet (without an id), or the type of a state. */
export interface RunLimit {
  readonly by:
    | { readonly kind: 'rule'; readonly id: string | undefined }
    | { readonly kind: 'state'; readonly name: string };
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
  const numbers = numbersIn(
    plan,
    new Map(),
    (name) => bases.get(name) ?? ANY,
    (leaf) => linearInRun(leaf, plan),
  );
  const rules = claimsOfRun(plan).map(
    ({ id, expression }): RunLimit => ({ by: { kind: 'rule', id }, bounds: boundsFrom(expression, numbers) }),
  );
  const states = Array.from(plan.state, ([name, { type, value: begins }]): RunLimit => {
    const { min, max } = both(ofType(type), typeof begins === 'bigint' ? guardOf(name, begins, plan) : ANY);
    const value: Expression = { op: 'reference', scope: 'final', name };
    const args = [min === undefined ? [] : [atMost(min, value)], max === undefined ? [] : [atMost(value, max)]].flat();
    return { by: { kind: 'state', name }, bounds: boundsFrom({ op: 'and', args }, numbers) };
  });
  return [...rules, ...states];
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
  const count = { min: BigInt(step.min), max: BigInt(step.max) };
  const ranges = rangesOf(step, plan, 'proven');
  return [
    [countName(step.stepId), count],
    ...Array.from(ranges, ([number, each]) => [sumName(step.stepId, number), sumsOf(each, step)] as const),
  ];
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
  const others =
    rest.min !== undefined && rest.min === rest.max
      ? multiply(named(countName(step.stepId)), rest.min)
      : bounded(sumsOf(rest, step));
  return sums.reduce(add, others);
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

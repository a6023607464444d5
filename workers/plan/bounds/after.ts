import { claimsOfStep } from '../claims.ts';
import { effectsOn } from '../expressions.ts';
import type { Expression } from '../language/terms.ts';
import type { Plan, Step } from '../plan.ts';
import { ANY, both, either, type Interval, point } from './interval.ts';
import { add, boundsFrom, intervalOf, type Linear, linearOf, multiply, named } from './linear.ts';
import { addedTo, numbersIn } from './numbers.ts';
import { provenNumbers } from './step-ranges.ts';

const AFTER = 'after';

/**
 * Bounds that the conditions of a step set for a state, or an entry of a map, after an action of the step:
 * `state.left >= args.amount`, where the action subtracts the amount, leaves at least 0.
 * @param isIt whether an expression is the state, or the entry, before the action
 * @param added what the action adds to it
 */
export function boundsAfter(
  isIt: (leaf: Expression) => boolean,
  added: Linear,
  { step, plan }: { readonly step: Step; readonly plan: Plan },
): Interval {
  const own = provenNumbers(step, plan);
  const before = add(named(AFTER), multiply(added, -1n));
  const numbers = numbersIn(plan, new Map(), own.boundsOf, (leaf) => {
    if (isIt(leaf)) return before;
    return leaf.op === 'reference' ? own.linearOf(leaf) : undefined;
  });
  return claimsOfStep(step, plan)
    .map((claim) => boundsFrom(claim, numbers).get(AFTER) ?? ANY)
    .reduce(both, ANY);
}

/** Bounds of a state at the end of a run, as conditions of actions guard it: none brings it beyond them. */
export function guardOf(name: string, begins: bigint, plan: Plan): Interval {
  let guard = point(begins);
  for (const step of plan.steps) {
    const numbers = provenNumbers(step, plan);
    for (const effect of effectsOn(name, step)) {
      const added = addedTo(name, effect);
      if (added === undefined) return ANY;
      const change = intervalOf(added, numbers);
      const isIt = (leaf: Expression) => leaf.op === 'reference' && leaf.scope === 'state' && leaf.name === name;
      const after = boundsAfter(isIt, linearOf(added, numbers), { step, plan });
      // What an action does not lower stays above what it was before.
      guard = either(guard, {
        min: change.min !== undefined && change.min >= 0n ? guard.min : after.min,
        max: change.max !== undefined && change.max <= 0n ? guard.max : after.max,
      });
    }
  }
  return guard;
}

import { isDeepStrictEqual } from 'node:util';
import type { Expression } from '../language/terms.ts';
import { argumentOf } from '../own-parts.ts';
import type { MapUpdate, Plan, Step } from '../plan.ts';
import { boundsAfter } from './after.ts';
import { ANY, both, type Limit } from './interval.ts';
import { bounded, boundsOfSum, type Linear, linearOf, multiply, named } from './linear.ts';
import { listedValues, valuesOf } from './listed-values.ts';
import { numbersIn, ofType } from './numbers.ts';
import { casesOf, provenNumbers } from './step-ranges.ts';

/** What the actions of a step move in the entries of a map, in one direction: not below 0 in any action. */
export interface MapMove {
  readonly step: Step;
  readonly map: string;
  /** In one action, in terms of its numbers. */
  readonly moved: Linear;
  /** At most, in one entry, over all actions of a run. */
  readonly room: bigint;
  /** The entries that the actions may move. */
  readonly keys: bigint;
}

/**
 * Moves in maps in which no action moves an entry back, so that each entry moves at most from where it begins to where its type
 * or a condition ends it. The actions of a step move the entries of few keys.
 */
export function mapMoves(plan: Plan): readonly MapMove[] {
  const found = known.get(plan) ?? computeMoves(plan);
  known.set(plan, found);
  return found;
}

const known = new WeakMap<Plan, readonly MapMove[]>();

const computeMoves = (plan: Plan): readonly MapMove[] =>
  [...plan.maps].flatMap(([map, { byDefault: begins, value }]) => {
    const updates = plan.steps.flatMap((step) => {
      // A map is changed by the tool or by the step, not by both.
      const ofMap = step.tool.mapEffects.get(map) ?? step.mapEffects.get(map) ?? [];
      return ofMap.map((update) => ({
        step,
        update,
        added: addedBy(update, map, step, plan),
        isOnly: ofMap.length === 1,
      }));
    });
    if (typeof begins !== 'bigint') return [];
    return [1n, -1n].flatMap((sign) => {
      const movesBack = ({ step, added }: (typeof updates)[number]) => {
        const { min } = boundsOfSum(multiply(added, sign), provenNumbers(step, plan));
        return min === undefined || min < 0n;
      };
      if (updates.some(movesBack)) return [];
      return updates.flatMap(({ step, update, added, isOnly }): readonly MapMove[] => {
        const isEntry = (leaf: Expression) => isEntryOf(leaf, map, update);
        const { min, max } = both(ofType(value), boundsAfter(isEntry, added, { step, plan }));
        const end = sign > 0n ? max : min;
        const keys = countOfKeys(update, step, plan);
        if (end === undefined || keys === undefined || !isOnly) return [];
        const room = sign * (end - begins);
        // Where an entry begins beyond its end, there are no such actions, and they move 0.
        return [{ step, map, moved: multiply(added, sign), room: room < 0n ? 0n : room, keys }];
      });
    });
  });

const BEFORE = 'before';

const isEntryOf = (leaf: Expression, map: string, { key }: MapUpdate): boolean =>
  leaf.op === 'at' && leaf.map === map && isDeepStrictEqual(leaf.key, key);

/** What an update adds to an entry. What it does otherwise is without bounds. */
function addedBy(update: MapUpdate, map: string, step: Step, plan: Plan): Linear {
  const own = provenNumbers(step, plan);
  const numbers = numbersIn(plan, new Map(), own.boundsOf, (leaf) => {
    if (isEntryOf(leaf, map, update)) return named(BEFORE);
    return leaf.op === 'reference' ? own.linearOf(leaf) : undefined;
  });
  const { factors, rest } = linearOf(update.value, numbers);
  const others = new Map([...factors].filter(([name]) => name !== BEFORE));
  return factors.get(BEFORE) === 1n ? { factors: others, rest } : bounded(ANY);
}

function countOfKeys({ key }: MapUpdate, step: Step, plan: Plan): Limit {
  const argument = argumentOf(key);
  const keys =
    argument === undefined
      ? valuesOf(key, plan)
      : (casesOf(step, argument, plan) ?? listedValues(step, argument, plan));
  return keys && BigInt(keys.size);
}

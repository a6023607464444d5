import { defined } from '../../exact/defined.ts';
import { greatestOf, leastOf } from '../model/row.ts';

const SAFE = 2n ** 52n;

/**
 * One number for each item. Their sums have the order of the objectives taken in turn, because each objective is multiplied
 * by more than the sum of those after it can be.
 * @returns undefined if sums could be rounded
 */
export function worthsOf(objectives: readonly (readonly bigint[])[], size: number): readonly number[] | undefined {
  const worths = new Array<bigint>(size).fill(0n);
  let weight = 1n;
  for (const objective of objectives.toReversed()) {
    for (const [item, gain] of objective.entries()) worths[item] = defined(worths[item]) + gain * weight;
    weight *= greatestOf(objective) - leastOf(objective) + 1n;
  }
  return greatestOf(worths) > SAFE || -leastOf(worths) > SAFE ? undefined : worths.map(Number);
}

import { magnitudeOf } from '../bounds/moving-row.ts';
import { BIG, SAFE } from './arithmetic.ts';
import { type Findings, type Quest, type SearchSpace, search } from './search.ts';

/** Twice a sum is still safe. */
const SAFE_SIZE = 2n ** 52n;

/** Searches with safe integers where no sum can be another. */
export function run(space: SearchSpace, quest: Quest): Findings {
  return isSafe(space) ? search(SAFE, space, quest) : search(BIG, space, quest);
}

export const isSafe = ({ rows, objective }: SearchSpace): boolean =>
  rows.every((row) => magnitudeOf(row, objective) <= SAFE_SIZE);

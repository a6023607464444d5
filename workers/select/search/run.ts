import { magnitudeOf } from '../bounds/moving-row.ts';
import { BIG, SAFE } from './arithmetic.ts';
import { createSearch, type Findings, type Quest, type SearchSpace } from './search.ts';

/** Twice a sum is still safe. */
const SAFE_SIZE = 2n ** 52n;

export type Search = (quest: Quest) => Findings;

/** Searches with safe integers where no sum can be another. */
export const prepareSearch = (space: SearchSpace): Search =>
  isSafe(space) ? createSearch(SAFE, space) : createSearch(BIG, space);

const isSafe = ({ rows, objective }: SearchSpace): boolean =>
  rows.every((row) => magnitudeOf(row, objective) <= SAFE_SIZE);

import { magnitudeOf } from '../bounds/moving-row.ts';
import { BIG, SAFE } from './arithmetic.ts';
import { createSearch, type Findings, type Quest, type SearchSpace } from './search.ts';

/** Twice this size is still a safe integer. */
const SAFE_SIZE = 2n ** 52n;

export type Search = (quest: Quest) => Findings;

/** A search with safe integers if all sums are safe, or else with BigInt. */
export const prepareSearch = (space: SearchSpace): Search =>
  isSafe(space) ? createSearch(SAFE, space) : createSearch(BIG, space);

const isSafe = ({ rows, objective }: SearchSpace): boolean =>
  rows.every((row) => magnitudeOf(row, objective) <= SAFE_SIZE);

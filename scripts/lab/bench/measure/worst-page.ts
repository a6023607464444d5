import { defined } from '../../../../workers/exact/defined.ts';

/** The page that takes the longest, by the median of its times in all rounds. */
export interface WorstPage {
  readonly name: string;
  readonly ms: number;
}

/** What a round knows of each page: operations per second, or NaN for a page that failed. */
interface TimedRound {
  readonly perSecondByPage?: readonly number[];
}

/** Undefined if the pages were not timed. Pages that failed are left out. */
export function worstPageOf(
  rounds: readonly TimedRound[],
  names: readonly string[] | undefined,
): WorstPage | undefined {
  if (names === undefined) return undefined;
  let worst: WorstPage | undefined;
  for (const [index, name] of names.entries()) {
    const times = rounds.map(({ perSecondByPage }) => 1000 / defined(perSecondByPage?.[index]));
    const ms = medianOf(times.filter((time) => !Number.isNaN(time)));
    if (ms !== undefined && (worst === undefined || ms > worst.ms)) worst = { name, ms };
  }
  return worst;
}

function medianOf(values: readonly number[]): number | undefined {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];
}

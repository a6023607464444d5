/** A search asked too many questions, or one that the solver cannot decide. There is no answer then. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

export interface LeastOptions<Found> {
  /** No solution has a lower position. */
  readonly floor: bigint;
  /** The position at which the least solution is expected. */
  readonly hint: bigint;
  /** A known solution. */
  readonly found: Found;
  readonly placeOf: (found: Found) => bigint;
  /** A solution at this position or below. Undefined if there is none. */
  readonly findUpTo: (place: bigint) => Found | undefined;
}

/**
 * Finds the solution with the lowest position. If the hint is right, two questions are enough: one for the solution, one
 * for those below. Otherwise there are about twice as many as the binary digits of its distance from the known solution.
 */
export function findLeast<Found>({ floor, hint, found, placeOf, findUpTo }: LeastOptions<Found>): Found {
  let best = found;
  let least = floor;
  if (floor <= hint && hint < placeOf(best)) {
    const hinted = findUpTo(hint);
    if (hinted === undefined) least = hint + 1n;
    else best = hinted;
  }
  let step = 1n;
  let isBeyond = false;
  for (let place = placeOf(best); least < place; place = placeOf(best)) {
    const target = isBeyond ? least + (place - 1n - least) / 2n : largest(least, place - step);
    const next = findUpTo(target);
    if (next === undefined) {
      least = target + 1n;
      isBeyond = true;
    } else {
      best = next;
      step *= 2n;
    }
  }
  return best;
}

const largest = (one: bigint, other: bigint): bigint => (one > other ? one : other);

/** Raised where a search asks more than it may, or what cannot be decided: there is no answer then, and no guess. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

export interface LeastOptions<Found> {
  /** Nothing is below it. */
  readonly floor: bigint;
  /** Where the least is thought to be. */
  readonly hint: bigint;
  /** What is known to be possible, and where it stands. */
  readonly found: Found;
  readonly placeOf: (found: Found) => bigint;
  /** Something at this place or below, or undefined where there is none. */
  readonly findUpTo: (place: bigint) => Found | undefined;
}

/**
 * The least there is. Where the hint is right, two questions are enough: that there is something, and nothing below. Else
 * there are about twice as many as the distance from what is known has binary digits.
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

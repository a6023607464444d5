/** Raised where a search asks more than it may, or what cannot be decided: there is no answer then, and no guess. */
export class Undecided extends Error {
  override readonly name = 'Undecided';
}

export interface LeastOptions<Found> {
  /** Nothing is below it. */
  readonly floor: bigint;
  /** What is known to be possible, and where it stands. */
  readonly found: Found;
  readonly placeOf: (found: Found) => bigint;
  /** Something at this place or below, or undefined where there is none. */
  readonly findUpTo: (place: bigint) => Found | undefined;
}

/**
 * The least there is: in about twice as many questions as the distance from what is known has binary digits. The floor is
 * asked for first, which is where most values are that nothing else bounds.
 */
export function findLeast<Found>({ floor, found, placeOf, findUpTo }: LeastOptions<Found>): Found {
  let best = found;
  let least = floor;
  let step = 1n;
  let isBeyond = false;
  if (placeOf(best) > least) {
    const atFloor = findUpTo(least);
    if (atFloor !== undefined) return atFloor;
    least += 1n;
  }
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

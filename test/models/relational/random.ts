/** A seeded source of choices (mulberry32). */
export interface Random {
  /** An integer from 0 to below `count`. */
  readonly below: (count: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
  readonly times: <T>(most: number, make: (index: number) => T) => readonly T[];
}

export function createRandom(seed: number): Random {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number) => Math.floor(next() * count);
  return {
    below,
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] ?? items[0],
    times: (most, make) => Array.from({ length: below(most + 1) }, (_, index) => make(index)),
  };
}

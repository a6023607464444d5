import { defined } from '../../workers/exact/defined.ts';

/** Random numbers from a seed (mulberry32). The same seed gives the same numbers. */
export interface Random {
  /** A number that is at least `least` and less than `below`. */
  readonly between: (least: number, below: number) => number;
  readonly pick: <T>(items: readonly [T, ...T[]]) => T;
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const between = (least: number, below: number) => least + next() * (below - least);
  return { between, pick: (items) => defined(items[Math.floor(between(0, items.length))]) };
}

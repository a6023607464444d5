/** Random numbers that follow from a seed alone. */
export interface Random {
  /** A whole number from 0 to `below - 1`. */
  below(below: number): number;
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  /** A number from 0 to 1, without 1. */
  fraction(): number;
  fill(bytes: Uint8Array): void;
  hex(sizeBytes: number): string;
}

/** Creates a generator (sfc32, public domain) whose state is derived from a seed (splitmix32). */
export function createRandom(seed: number): Random {
  let mixed = (seed ^ Math.floor(seed / 2 ** 32)) >>> 0;
  const mix = () => {
    mixed = (mixed + 0x9e3779b9) | 0;
    let z = mixed ^ (mixed >>> 16);
    z = Math.imul(z, 0x21f0aaad);
    z ^= z >>> 15;
    z = Math.imul(z, 0x735a2d97);
    return z ^ (z >>> 15);
  };
  let [a, b, c, counter] = [mix(), mix(), mix(), 1];

  /** 32 random bits. */
  function next(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return sum >>> 0;
  }
  for (let round = 0; round < 12; round += 1) next();

  const fraction = () => next() / 2 ** 32;
  const below = (limit: number) => Math.floor(fraction() * limit);
  const fill = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; at += 4) {
      const bits = next();
      for (let i = 0; i < 4 && at + i < bytes.length; i += 1) bytes[at + i] = bits >>> (8 * i);
    }
  };
  return {
    below,
    fraction,
    fill,
    between: (from, to) => from + below(to - from + 1),
    chance: (probability) => fraction() < probability,
    pick: (items) => items[below(items.length)] ?? items[0],
    hex(sizeBytes) {
      const bytes = Buffer.alloc(sizeBytes);
      fill(bytes);
      return bytes.toString('hex');
    },
  };
}

/**
 * Integers of a search: safe integers if all sums fit, which is ten times faster, or BigInt. Both are exact, so a search
 * takes the same steps with either.
 */
export interface Arithmetic<N> {
  of(value: bigint): N;
  toBigInt(value: N): bigint;
  plus(a: N, b: N): N;
  minus(a: N, b: N): N;
  isLess(a: N, b: N): boolean;
  /** `a * b / c`, rounded down. a and b are not negative, c is positive, and a or b is at most c. */
  scale(a: N, b: N, c: N): N;
}

export const SAFE: Arithmetic<number> = {
  of: Number,
  toBigInt: BigInt,
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  isLess: (a, b) => a < b,
  scale(a, b, c) {
    const product = a * b;
    // Division rounds up to an integer only if dividend and divisor sum to more than 2^53.
    if (product + c <= Number.MAX_SAFE_INTEGER) return Math.floor(product / c);
    return Number((BigInt(a) * BigInt(b)) / BigInt(c));
  },
};

export const BIG: Arithmetic<bigint> = {
  of: (value) => value,
  toBigInt: (value) => value,
  plus: (a, b) => a + b,
  minus: (a, b) => a - b,
  isLess: (a, b) => a < b,
  scale: (a, b, c) => (a * b) / c,
};

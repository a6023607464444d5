/** The commit to compare with, and this checkout. */
export type Side = 'baseline' | 'present';

/** Something of each side. */
export type BothSides<Value> = Readonly<Record<Side, Value>>;

/**
 * Which side runs first in a round. The side that begins changes with each round (ABBA), so that a machine that becomes
 * slower or faster affects both sides equally.
 */
export const orderOf = (round: number): readonly [Side, Side] =>
  round % 2 === 0 ? ['baseline', 'present'] : ['present', 'baseline'];

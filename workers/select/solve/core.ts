import type { Constraint } from '../model/constraint.ts';

/**
 * Some of the constraints that contradict each other, of which none can be left out. This is QuickXplain (Junker 2004), which
 * asks few questions if the core is small.
 * @param contradicts whether constraints are proven to contradict each other; if it cannot decide, more constraints stay
 */
export function minimalCore(
  constraints: readonly Constraint[],
  contradicts: (constraints: readonly Constraint[]) => boolean,
): readonly Constraint[] {
  function explain(base: readonly Constraint[], hasGrown: boolean, rest: readonly Constraint[]): readonly Constraint[] {
    if (hasGrown && contradicts(base)) return [];
    if (rest.length <= 1) return rest;
    const middle = rest.length >>> 1;
    const left = rest.slice(0, middle);
    const right = rest.slice(middle);
    const ofRight = explain([...base, ...left], left.length > 0, right);
    const ofLeft = explain([...base, ...ofRight], ofRight.length > 0, left);
    return [...ofLeft, ...ofRight];
  }
  return explain([], false, constraints);
}

import type { Expression, Range } from './language/terms.ts';
import { childrenOf } from './language/walk.ts';

/** What the names of elements range over. */
export type Ranges = ReadonlyMap<string, Range>;

const NONE: Ranges = new Map();

/** Visits every node of some expressions, with the ranges of the names that are known in it. */
export function walkWithRanges(
  roots: Iterable<Expression>,
  visit: (node: Expression, ranges: Ranges) => void,
  ranges: Ranges = NONE,
): void {
  for (const node of roots) {
    const inside = withRange(node, ranges);
    visit(node, inside);
    walkWithRanges(childrenOf(node), visit, inside);
  }
}

/** The ranges in the body of an aggregate. */
export const withRange = (node: Expression, ranges: Ranges): Ranges =>
  'range' in node ? new Map([...ranges, [node.binder, node.range]]) : ranges;

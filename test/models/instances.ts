import fc from 'fast-check';
import { defined } from '../../workers/exact/defined.ts';
import type { Instance } from './enumerate.ts';

const NAMES = ['b', 'd', 'a', 'c', 'bx', 'B', '0', 'f', 'd.', 'e'];
const ATTRIBUTES = ['p', 'w', 'u'];

/** Small selections of all kinds. About a third are infeasible, and narrow values make ties. */
export const instances: fc.Arbitrary<Instance> = fc
  .record({
    size: fc.oneof(
      { weight: 14, arbitrary: fc.integer({ min: 0, max: 7 }) },
      { weight: 1, arbitrary: fc.integer({ min: 8, max: 10 }) },
    ),
    span: fc.constantFrom(2, 5, 100, 1_000_000, 9_000_000_000_000),
    isNegative: fc.boolean(),
  })
  .chain(({ size, span, isNegative }) => {
    const ids = NAMES.slice(0, size);
    const value = fc.integer({ min: isNegative ? -span : 0, max: span }).map(String);
    const some = fc.subarray(ids, { maxLength: Math.min(2, size) });
    const rarely = fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: some });
    const count = fc.integer({ min: 0, max: size });
    return fc.record({
      scale: fc.constant(0 as const),
      items: fc.tuple(...ids.map((id) => fc.record({ id: fc.constant(id), values: valuesOf(value) }))),
      choose: fc.oneof(fc.constant({ min: 0, max: size }), fc.record({ min: count, max: count })),
      capacities: fc.array(fc.record({ of: fc.constantFrom(...ATTRIBUTES), max: limitsOf(span, isNegative) }), {
        maxLength: 3,
      }),
      require: rarely,
      forbid: rarely,
      at_most_one: fc.array(fc.subarray(ids), { maxLength: 3 }),
      objectives: fc.array(
        fc.record({ of: fc.constantFrom(...ATTRIBUTES), direction: fc.constantFrom('maximize', 'minimize') }),
        { maxLength: 3 },
      ),
      node_limit: fc.constant(100_000),
    });
  });

const valuesOf = (value: fc.Arbitrary<string>) =>
  fc.record({ p: value, w: value, u: value }, { noNullPrototype: true });

const limitsOf = (span: number, isNegative: boolean) =>
  fc.integer({ min: isNegative ? -2 * span : 0, max: 4 * span }).map(String);

/** Lehmer's generator of pseudorandom numbers (Park and Miller 1988). A seed always gives the same numbers. */
export function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
}

/** Items `i000`, `i001` … Each column has the values of one attribute. */
export const itemsOf = (columns: Readonly<Record<string, readonly number[]>>, size: number) =>
  Array.from({ length: size }, (_, index) => ({
    id: `i${String(index).padStart(3, '0')}`,
    values: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, `${column[index]}`])),
  }));

/** A knapsack: the most of `p` with at most `capacity` of `w`. */
export const knapsack = (p: readonly number[], w: readonly number[], capacity: number) => ({
  scale: 0,
  items: itemsOf({ p, w }, p.length),
  capacities: [{ of: 'w', max: `${capacity}` }],
  objectives: [{ of: 'p', direction: 'maximize' }],
});

/** The optimum of a knapsack, by Bellman's recursion over capacities. */
export function mostOf(p: readonly number[], w: readonly number[], capacity: number): number {
  const most = new Float64Array(capacity + 1);
  for (const [item, weight] of w.entries()) {
    for (let room = capacity; room >= weight; room -= 1) {
      most[room] = Math.max(defined(most[room]), defined(most[room - weight]) + defined(p[item]));
    }
  }
  return defined(most[capacity]);
}

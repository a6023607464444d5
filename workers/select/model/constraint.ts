import type { Selection } from '../request/selection.ts';

/** A constraint with its name in cores, such as `choose.min`, `capacities/0` or `require/a`. */
export type Constraint = { readonly name: string } & (
  | { readonly kind: 'min' | 'max'; readonly count: number }
  | { readonly kind: 'capacity'; readonly of: string; readonly max: bigint }
  | { readonly kind: 'require' | 'forbid'; readonly item: number }
  | { readonly kind: 'group'; readonly items: readonly number[] }
);

/** All constraints of a selection, in the order in which cores name them. */
export function constraintsOf(selection: Selection): readonly Constraint[] {
  const { choose, capacities, require, forbid, atMostOne, ids } = selection;
  return [
    { name: 'choose.min', kind: 'min', count: choose.min },
    { name: 'choose.max', kind: 'max', count: choose.max },
    ...capacities.map((capacity, index) => ({ name: `capacities/${index}`, kind: 'capacity', ...capacity }) as const),
    ...require.map((item) => ({ name: `require/${ids[item]}`, kind: 'require', item }) as const),
    ...forbid.map((item) => ({ name: `forbid/${ids[item]}`, kind: 'forbid', item }) as const),
    ...atMostOne.map((items, index) => ({ name: `at_most_one/${index}`, kind: 'group', items }) as const),
  ];
}

import { defined } from '../../workers/exact/defined.ts';
import type { SelectionAnswer } from '../../workers/select/exact-select.ts';

/** A selection as it is sent, in integers. */
export interface Instance {
  readonly scale: 0;
  readonly items: readonly { readonly id: string; readonly values: Readonly<Record<string, string>> }[];
  readonly choose: { readonly min: number; readonly max: number };
  readonly capacities: readonly { readonly of: string; readonly max: string }[];
  readonly require: readonly string[];
  readonly forbid: readonly string[];
  readonly at_most_one: readonly (readonly string[])[];
  readonly objectives: readonly { readonly of: string; readonly direction: 'maximize' | 'minimize' }[];
  readonly node_limit: number;
}

type Found = Pick<SelectionAnswer, 'outcome' | 'chosen'> & { readonly best: number | undefined };

/** Finds the best set by trying every set of items. */
export function enumerate(instance: Instance): Found {
  let best: { readonly chosen: readonly string[]; readonly sums: readonly number[] } | undefined;
  for (const chosen of subsets(instance.items.map(({ id }) => id).sort())) {
    if (violated(instance, chosen).length > 0) continue;
    const sums = instance.objectives.map(({ of, direction }) => {
      return direction === 'maximize' ? sumOf(instance, of, chosen) : -sumOf(instance, of, chosen);
    });
    if (best === undefined || compare(best, { chosen, sums }) > 0) best = { chosen, sums };
  }
  if (best === undefined) return { outcome: 'infeasible', chosen: [], best: undefined };
  const [objective] = instance.objectives;
  const first = objective && sumOf(instance, objective.of, best.chosen);
  return { outcome: 'optimal', chosen: best.chosen, best: first };
}

/** Names of the constraints that a choice breaks. */
export function violated(instance: Instance, chosen: readonly string[]): readonly string[] {
  const has = new Set(chosen);
  const broken = (names: readonly string[], isBroken: (name: string) => boolean) => names.filter(isBroken);
  return [
    ...(chosen.length < instance.choose.min ? ['choose.min'] : []),
    ...(chosen.length > instance.choose.max ? ['choose.max'] : []),
    ...instance.capacities.flatMap(({ of, max }, index) => {
      return sumOf(instance, of, chosen) > Number(max) ? [`capacities/${index}`] : [];
    }),
    ...broken(instance.require, (id) => !has.has(id)).map((id) => `require/${id}`),
    ...broken(instance.forbid, (id) => has.has(id)).map((id) => `forbid/${id}`),
    ...instance.at_most_one.flatMap((ids, index) => {
      return broken(ids, (id) => has.has(id)).length > 1 ? [`at_most_one/${index}`] : [];
    }),
  ];
}

/** Whether some choice breaks none of the constraints named. */
export const isObeyable = (instance: Instance, names: ReadonlySet<string>): boolean =>
  subsets(instance.items.map(({ id }) => id)).some(
    (chosen) => !violated(instance, chosen).some((name) => names.has(name)),
  );

export const sumOf = ({ items }: Pick<Instance, 'items'>, of: string, chosen: readonly string[]): number => {
  const has = new Set(chosen);
  return items.reduce((sum, { id, values }) => (has.has(id) ? sum + Number(values[of]) : sum), 0);
};

const subsets = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: 2 ** ids.length }, (_, set) => ids.filter((_, bit) => (set >> bit) % 2 === 1));

interface Candidate {
  readonly chosen: readonly string[];
  readonly sums: readonly number[];
}

/** Negative if the first is better. */
function compare(a: Candidate, b: Candidate): number {
  for (const [index, sum] of a.sums.entries()) if (sum !== b.sums[index]) return defined(b.sums[index]) - sum;
  for (const [index, id] of a.chosen.entries()) {
    const other = b.chosen[index];
    if (other === undefined) return 1;
    if (id !== other) return id < other ? -1 : 1;
  }
  return a.chosen.length - b.chosen.length;
}

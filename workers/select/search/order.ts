import { defined } from '../../exact/defined.ts';
import type { Row } from '../model/row.ts';

/** The order in which a search decides items. The items of a block are consecutive, and at most one of them is chosen. */
export interface Order {
  readonly items: readonly number[];
  /** For each position, the position after its block. */
  readonly blockEnds: readonly number[];
  /** For each position, the next one if its item is not chosen: equivalent items after it are not chosen either. */
  readonly afterExclusion: readonly number[];
}

/**
 * Blocks by regret: how much it costs to decide them otherwise than the relaxed problem does. The largest regret comes first.
 * @param gains what choosing an item gains in the relaxed problem
 * @param kinds for each item, the first equivalent one; equivalent items are chosen from the first on
 */
export function orderByRegret(
  blocks: readonly (readonly number[])[],
  gains: readonly number[],
  kinds: readonly number[],
): Order {
  const gainOf = (item: number) => defined(gains[item]);
  const sorted = blocks.map((block) => {
    const items = block.toSorted((a, b) => gainOf(b) - gainOf(a) || byKind(a, b, kinds));
    const [first, second] = items;
    const max = gainOf(defined(first));
    // The alternative is the second item, or no item.
    const alternative = second === undefined ? 0 : Math.max(0, gainOf(second));
    return { items, regret: max > 0 ? max - alternative : -max };
  });
  sorted.sort((a, b) => b.regret - a.regret || byKind(defined(a.items[0]), defined(b.items[0]), kinds));
  return link(
    sorted.map(({ items }) => items),
    kinds,
  );
}

/**
 * Items by efficiency, as Dantzig's bound (1957) needs them: gain divided by weight in a row, the highest first. Items that
 * do not both gain and take, or both cost and free, come before them.
 */
export function orderByEfficiency(
  objective: readonly bigint[],
  { coefficients }: Row,
  kinds: readonly number[],
): Order {
  const profitOf = (item: number) => absolute(defined(objective[item]));
  const weightOf = (item: number) => absolute(defined(coefficients[item]));
  const ratios = objective.map((_, item) => Number(profitOf(item)) / Number(weightOf(item)));
  const compare = (a: number, b: number): number => {
    const ratio = defined(ratios[a]);
    const difference = defined(ratios[b]) - ratio;
    // Rounded quotients decide only if their difference is larger than the rounding error.
    if (Math.abs(difference) > 1e-12 * ratio) return difference;
    const exact = profitOf(b) * weightOf(a) - profitOf(a) * weightOf(b);
    if (exact !== 0n) return exact > 0n ? 1 : -1;
    // Of equal ratios, the largest weight comes first, so that small ones fill the rest.
    return Number(weightOf(b) - weightOf(a)) || byKind(a, b, kinds);
  };
  const isOpen = (item: number) => defined(objective[item]) * defined(coefficients[item]) > 0n;
  const items = objective.map((_, item) => item);
  const clear = items.filter((item) => !isOpen(item)).sort((a, b) => byKind(a, b, kinds));
  return link(
    [...clear, ...items.filter(isOpen).sort(compare)].map((item) => [item]),
    kinds,
  );
}

function link(blocks: readonly (readonly number[])[], kinds: readonly number[]): Order {
  const items = blocks.flat();
  const blockEnds: number[] = [];
  for (const block of blocks) blockEnds.push(...block.map(() => 0).fill(blockEnds.length + block.length));
  const afterExclusion = items.map(() => 0);
  let nextKind: number | undefined;
  for (let position = items.length - 1; position >= 0; position -= 1) {
    const kind = defined(kinds[defined(items[position])]);
    afterExclusion[position] = kind === nextKind ? defined(afterExclusion[position + 1]) : position + 1;
    nextKind = kind;
  }
  return { items, blockEnds, afterExclusion };
}

const byKind = (a: number, b: number, kinds: readonly number[]) => defined(kinds[a]) - defined(kinds[b]) || a - b;
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

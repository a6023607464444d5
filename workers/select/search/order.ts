import type { Row } from '../model/row.ts';

/** Items in the order in which a search decides them; of a block, which stands together, at most one is chosen. */
export interface Order {
  readonly items: readonly number[];
  /** Where the block of a position ends. */
  readonly blockEnds: readonly number[];
  /** Where to go on once the item is not chosen: its likes that follow are not chosen either. */
  readonly afterExclusion: readonly number[];
}

export interface OrderOptions {
  /** Of each item, the first that is like it in everything: alike are chosen from the first on. */
  readonly kinds: readonly number[];
  /** What choosing an item gains by the linear program; below 0, it costs. */
  readonly gains: readonly number[];
}

/** Blocks by how much it costs to decide them otherwise than the linear program would: the certain ones first. */
export function orderByRegret(blocks: readonly (readonly number[])[], { kinds, gains }: OrderOptions): Order {
  const gainOf = (item: number) => gains[item] ?? 0;
  const sorted = blocks.map((block) => {
    const items = block.toSorted((a, b) => gainOf(b) - gainOf(a) || byKind(a, b, kinds));
    const [best = 0, second = Number.NEGATIVE_INFINITY] = items.map(gainOf);
    // The other choice is the second item, or none.
    return { items, regret: best > 0 ? best - Math.max(0, second) : -best };
  });
  sorted.sort((a, b) => b.regret - a.regret || byKind(a.items[0] ?? 0, b.items[0] ?? 0, kinds));
  return link(
    sorted.map(({ items }) => items),
    kinds,
  );
}

interface Ties {
  readonly kinds: OrderOptions['kinds'];
  /** Of each item, what it takes of the rows that are not about numbers of items. */
  readonly loads: readonly number[];
}

/**
 * Items by what they gain for what they take of a row, the best first, as Dantzig's bound (1957) has them; before them
 * those for which that is no question, as they gain and take nothing, or the reverse. Equals, which are all where gains
 * are weights plus a constant, by what they take: the smallest first fill the room with the most items.
 */
export function orderByEfficiency(objective: readonly bigint[], { coefficients }: Row, { kinds, loads }: Ties): Order {
  const profitOf = (item: number) => absolute(objective[item] ?? 0n);
  const weightOf = (item: number) => absolute(coefficients[item] ?? 0n);
  const isQuestion = (item: number) => (objective[item] ?? 0n) * (coefficients[item] ?? 0n) > 0n;
  const ratios = objective.map((_, item) => Number(profitOf(item)) / Number(weightOf(item)));
  const compare = (a: number, b: number): number => {
    const difference = (ratios[b] ?? 0) - (ratios[a] ?? 0);
    // Rounded quotients may only decide where rounding cannot.
    if (Math.abs(difference) > 1e-12 * (ratios[a] ?? 0)) return difference;
    const exact = profitOf(b) * weightOf(a) - profitOf(a) * weightOf(b);
    if (exact !== 0n) return exact > 0n ? 1 : -1;
    return (loads[a] ?? 0) - (loads[b] ?? 0) || byKind(a, b, kinds);
  };
  const items = objective.map((_, item) => item);
  const clear = items.filter((item) => !isQuestion(item)).sort((a, b) => byKind(a, b, kinds));
  const questions = items.filter(isQuestion).sort(compare);
  return link(
    [...clear, ...questions].map((item) => [item]),
    kinds,
  );
}

function link(blocks: readonly (readonly number[])[], kinds: readonly number[]): Order {
  const items = blocks.flat();
  const blockEnds: number[] = [];
  for (const block of blocks) blockEnds.push(...block.map(() => 0).fill(blockEnds.length + block.length));
  const afterExclusion = items.map(() => 0);
  for (let position = items.length - 1; position >= 0; position -= 1) {
    const kind = kinds[items[position] ?? 0];
    const isAlike = position + 1 < items.length && kinds[items[position + 1] ?? 0] === kind;
    afterExclusion[position] = isAlike ? (afterExclusion[position + 1] ?? 0) : position + 1;
  }
  return { items, blockEnds, afterExclusion };
}

const byKind = (a: number, b: number, kinds: readonly number[]) => (kinds[a] ?? 0) - (kinds[b] ?? 0) || a - b;
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

import { generator, itemsOf } from '../../../test/models/instances.ts';
import { defined } from '../../../workers/exact/defined.ts';

export interface NamedInstance {
  readonly name: string;
  readonly selection: Readonly<Record<string, unknown>>;
}

type Random = (below: number) => number;
/** One instance. The number counts the instances of its family. */
type Family = (random: Random, index: number) => Readonly<Record<string, unknown>>;

const column = <T>(size: number, value: (item: number) => T): readonly T[] =>
  Array.from({ length: size }, (_, item) => value(item));
const sumOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const negated = (values: readonly number[]) => values.map((value) => -value);
const part = (values: readonly number[], share: number) => `${Math.floor(sumOf(values) * share)}`;
const idsOf = (items: readonly number[]) => items.map((item) => `i${String(item).padStart(3, '0')}`);
const best = (of: string) => ({ of, direction: 'maximize' });
const cheapest = (of: string) => ({ of, direction: 'minimize' });

/** Disjoint groups of `width` neighbors. */
const categories = (size: number, width: number) =>
  column(Math.ceil(size / width), (group) => group).map((group) =>
    idsOf(column(Math.min(width, size - group * width), (item) => group * width + item)),
  );

/** Like the examples of the documentation: up to 100 items and a few constraints. Twenty of each. */
const ORDINARY: Readonly<Record<string, Family>> = {
  knapsack(random, index) {
    const size = 20 + index * 4;
    const [p, w] = [column(size, () => 1 + random(1000)), column(size, () => 1 + random(1000))];
    return { items: itemsOf({ p, w }, size), capacities: [{ of: 'w', max: part(w, 0.5) }], objectives: [best('p')] };
  },
  'ratings within a budget, at most some items'(random, index) {
    const size = 20 + index * 4;
    const [rating, price] = [column(size, () => 1 + random(5)), column(size, () => 100 + random(9900))];
    return {
      items: itemsOf({ rating, price }, size),
      choose: { min: 1, max: 3 + (index % 8) },
      capacities: [{ of: 'price', max: part(price, 0.1) }],
      objectives: [best('rating'), cheapest('price')],
    };
  },
  'gains within money and time'(random, index) {
    const size = 10 + index * 2;
    const [gain, price, hours] = [5000, 5000, 40].map((below) => column(size, () => 1 + random(below)));
    return {
      items: itemsOf({ gain: defined(gain), price: defined(price), hours: defined(hours) }, size),
      capacities: [
        { of: 'price', max: part(defined(price), 0.4) },
        { of: 'hours', max: part(defined(hours), 0.4) },
      ],
      objectives: [best('gain')],
    };
  },
  'one offer of each category'(random, index) {
    const size = 20 + index * 4;
    const price = column(size, () => 500 + random(9500));
    const quality = price.map((value) => Math.floor(value / 100) + random(40));
    const groups = categories(size, 5);
    return {
      items: itemsOf({ quality, price }, size),
      choose: { min: Math.min(3, groups.length), max: groups.length },
      capacities: [{ of: 'price', max: part(price, 0.12) }],
      at_most_one: groups,
      objectives: [best('quality'), cheapest('price')],
    };
  },
  'an exact number of items at the least price'(random, index) {
    const size = 20 + index * 4;
    const [quality, price] = [column(size, () => 1 + random(100)), column(size, () => 100 + random(9900))];
    const count = 4 + (index % 7);
    return {
      items: itemsOf({ price, lack: negated(quality) }, size),
      choose: { min: count, max: count },
      capacities: [{ of: 'lack', max: `${-count * 60}` }],
      objectives: [cheapest('price')],
    };
  },
  'required and forbidden items'(random, index) {
    const size = 20 + index * 4;
    const [p, w] = [column(size, () => random(100)), column(size, () => random(100))];
    return {
      items: itemsOf({ p, w }, size),
      choose: { min: 2, max: size },
      capacities: [{ of: 'w', max: part(w, 0.3) }],
      require: idsOf([index, size - 1]),
      forbid: idsOf([1, 2, 3].map((step) => size - step * 2)),
      objectives: [best('p')],
    };
  },
  'without objectives'(random, index) {
    const size = 20 + index * 4;
    const [p, w] = [column(size, () => random(100)), column(size, () => random(100))];
    return {
      items: itemsOf({ w, lack: negated(p) }, size),
      choose: { min: 3, max: 10 },
      capacities: [
        { of: 'w', max: '150' },
        { of: 'lack', max: '-200' },
      ],
    };
  },
  'with a contradiction'(random, index) {
    const size = 20 + index * 4;
    const [p, w] = [column(size, () => 1 + random(50)), column(size, () => 10 + random(90))];
    const least = [...w].sort((a, b) => a - b).slice(0, 6);
    return {
      items: itemsOf({ p, w }, size),
      choose: { min: 6, max: 9 },
      capacities: [{ of: 'w', max: `${sumOf(least) - 1 - random(20)}` }],
      forbid: idsOf([0, 5]),
      at_most_one: categories(size, 10),
      objectives: [best('p')],
    };
  },
  'gains near prices'(random, index) {
    const size = 20 + index * 4;
    const price = column(size, () => 1000 + random(9000));
    const gain = price.map((value) => Math.max(1, value - 1000 + random(2000)));
    return {
      items: itemsOf({ gain, price }, size),
      capacities: [{ of: 'price', max: part(price, 0.3) }],
      objectives: [best('gain')],
    };
  },
  'stars and small prices'(random, index) {
    const size = 20 + index * 4;
    const [stars, price] = [column(size, () => 1 + random(5)), column(size, () => 1 + random(20))];
    return {
      items: itemsOf({ stars, price }, size),
      choose: { min: 2, max: 12 },
      capacities: [{ of: 'price', max: `${20 + index * 2}` }],
      at_most_one: index % 2 === 0 ? [] : categories(size, 8),
      objectives: [best('stars')],
    };
  },
};

/** Ten of each. */
const HARD: Readonly<Record<string, Family>> = {
  'strongly correlated'(random, index) {
    const w = column(100, () => 1 + random(1000));
    return knapsackOf(
      w.map((weight) => weight + 100),
      w,
      (index + 1) / 11,
    );
  },
  'inversely correlated'(random, index) {
    const p = column(100, () => 1 + random(1000));
    return knapsackOf(
      p,
      p.map((value) => value + 100),
      (index + 1) / 11,
    );
  },
  'even weights and odd room'(random, index) {
    const w = column(60, () => 2 * (1 + random(500)));
    return {
      ...knapsackOf(w, w, 0.5),
      capacities: [{ of: 'w', max: `${1 + 2 * Math.floor((sumOf(w) * (index + 1)) / 24)}` }],
    };
  },
  'equal ratios'(random, index) {
    const w = column(100, () => 1 + random(1000));
    return knapsackOf(
      w.map((weight) => 3 * Math.ceil(weight / 3)),
      w,
      (index + 1) / 11,
    );
  },
  'five capacities'(random, index) {
    const size = 20 + index * 4;
    const columns = { a: 0, b: 0, c: 0, d: 0, e: 0 };
    const weights = Object.fromEntries(
      Object.keys(columns).map((name) => [name, column(size, () => 1 + random(1000))]),
    );
    const all = Object.values(weights);
    const p = column(size, (item) => Math.floor(sumOf(all.map((of) => defined(of[item]))) / 5) + random(200));
    return {
      items: itemsOf({ p, ...weights }, size),
      capacities: Object.entries(weights).map(([of, values]) => ({ of, max: part(values, 0.5) })),
      objectives: [best('p')],
    };
  },
  'an exact number and a sum between two bounds'(random, index) {
    const size = 40 + index * 4;
    const w = column(size, () => 1 + random(10_000));
    const goal = Math.floor((sumOf(w) * 12) / size);
    return {
      items: itemsOf({ w, n: negated(w), p: column(size, () => random(50)) }, size),
      choose: { min: 12, max: 12 },
      capacities: [
        { of: 'w', max: `${goal + 1}` },
        { of: 'n', max: `${-goal}` },
      ],
      objectives: [best('p')],
    };
  },
  'overlapping groups'(random, index) {
    const size = 40 + index * 4;
    const [p, w] = [column(size, () => 1 + random(100)), column(size, () => 1 + random(100))];
    const groups = column(size, () => [...new Set(column(4, () => random(size)))].sort((a, b) => a - b)).map(idsOf);
    return {
      items: itemsOf({ p, w }, size),
      capacities: [{ of: 'w', max: part(w, 0.15) }],
      at_most_one: groups,
      objectives: [best('p'), cheapest('w')],
    };
  },
  'three objectives with many ties'(random, index) {
    const size = 50 + index * 5;
    const [a, b, c, w] = [4, 4, 4, 30].map((below) => column(size, () => 1 + random(below)));
    return {
      items: itemsOf({ a: defined(a), b: defined(b), c: defined(c), w: defined(w) }, size),
      choose: { min: 5, max: 25 },
      capacities: [{ of: 'w', max: part(defined(w), 0.25) }],
      objectives: [best('a'), best('b'), cheapest('c')],
    };
  },
  'numbers of 30 digits'(random, index) {
    const size = 30 + index * 3;
    const large = (value: number) => `${value}${String(random(1_000_000_000)).padStart(26, '7')}`;
    const w = column(size, () => 1 + random(1000));
    const items = itemsOf({ w }, size).map(({ id }, item) => {
      const weight = defined(w[item]);
      return { id, values: { w: large(weight), p: large(weight + random(100)) } };
    });
    return { items, capacities: [{ of: 'w', max: `${part(w, 0.4)}${'0'.repeat(26)}` }], objectives: [best('p')] };
  },
  'a thousand items'(random, index) {
    const w = column(1000, () => 1 + random(1000));
    const p = w.map((weight) => Math.max(1, weight - 100 + random(201)));
    return { ...knapsackOf(p, w, (index + 1) / 11), choose: { min: 0, max: index % 2 === 0 ? 1000 : 300 } };
  },
};

const knapsackOf = (p: readonly number[], w: readonly number[], share: number) => ({
  items: itemsOf({ p, w }, p.length),
  capacities: [{ of: 'w', max: part(w, share) }],
  objectives: [best('p')],
});

const all = (families: Readonly<Record<string, Family>>, count: number, nodeLimit?: number): readonly NamedInstance[] =>
  Object.entries(families).flatMap(([family, create], order) =>
    column(count, (index) => index).map((index) => ({
      name: `${family} ${index}`,
      selection: {
        scale: 0,
        ...create(generator(1 + order * 1000 + index), index),
        ...(nodeLimit === undefined ? {} : { node_limit: nodeLimit }),
      },
    })),
  );

export const ordinary = all(ORDINARY, 20);
/** With fewer nodes than usual, so that all of them end within minutes. */
export const hard = all(HARD, 10, 200_000);

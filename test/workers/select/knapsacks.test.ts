import test from 'ava';
import { exactSelect } from '../../../workers/select/exact-select.ts';
import { generator, knapsack, mostOf } from '../../models/instances.ts';

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const RANGE = 1000;

/** Classes from Pisinger (2005), "Where are the hard knapsack problems?" */
const CLASSES: Readonly<Record<string, (w: number, random: (below: number) => number) => number>> = {
  uncorrelated: (_, random) => 1 + random(RANGE),
  'weakly correlated': (w, random) => Math.max(1, w - RANGE / 10 + random(RANGE / 5 + 1)),
  'almost strongly correlated': (w, random) => w + RANGE / 10 - RANGE / 500 + random(RANGE / 250 + 1),
  'subset sum': (w) => w,
  'profit ceiling': (w) => 3 * Math.ceil(w / 3),
};

for (const [name, profitOf] of Object.entries(CLASSES)) {
  test(`${name} knapsacks of 100 items have the optimum of dynamic programming`, (t) => {
    for (let seed = 1; seed <= 6; seed += 1) {
      const random = generator(seed);
      const w = Array.from({ length: 100 }, () => 1 + random(RANGE));
      const p = w.map((weight) => profitOf(weight, random));
      const capacity = Math.floor((seed / 7) * sum(w));
      const answer = exactSelect(knapsack(p, w, capacity));
      t.is(answer.outcome, 'optimal');
      t.is(answer.totals?.['p'], `${mostOf(p, w, capacity)}`);
      t.true(Number(answer.totals?.['w']) <= capacity);
    }
  });
}

test('strongly correlated knapsacks end within the node limit with a valid bound, and are optimal only if proven', (t) => {
  for (let seed = 1; seed <= 4; seed += 1) {
    const random = generator(seed);
    const w = Array.from({ length: 100 }, () => 1 + random(RANGE));
    const p = w.map((weight) => weight + RANGE / 10);
    const capacity = Math.floor(sum(w) / 2);
    const answer = exactSelect({ ...knapsack(p, w, capacity), node_limit: 100_000 });
    const most = mostOf(p, w, capacity);
    t.true(answer.nodes <= 100_000);
    t.true(Number(answer.totals?.['p']) <= most && most <= Number(answer.best_bound));
    if (answer.outcome === 'optimal') t.is(Number(answer.totals?.['p']), most);
  }
});

interface Known {
  readonly capacity: number;
  readonly w: readonly number[];
  readonly p: readonly number[];
  readonly most: number;
}

/** Instances of the data set KNAPSACK_01 (J. Burkardt, Florida State University) with their published optima. */
const KNOWN: Readonly<Record<string, Known>> = {
  p01: {
    capacity: 165,
    w: [23, 31, 29, 44, 53, 38, 63, 85, 89, 82],
    p: [92, 57, 49, 68, 60, 43, 67, 84, 87, 72],
    most: 309,
  },
  p02: { capacity: 26, w: [12, 7, 11, 8, 9], p: [24, 13, 23, 15, 16], most: 51 },
  p03: { capacity: 190, w: [56, 59, 80, 64, 75, 17], p: [50, 50, 64, 46, 50, 5], most: 150 },
  p04: { capacity: 50, w: [31, 10, 20, 19, 4, 3, 6], p: [70, 20, 39, 37, 7, 5, 10], most: 107 },
  p05: {
    capacity: 104,
    w: [25, 35, 45, 5, 25, 3, 2, 2],
    p: [350, 400, 450, 20, 70, 8, 5, 5],
    most: 900,
  },
  p06: { capacity: 170, w: [41, 50, 49, 59, 55, 57, 60], p: [442, 525, 511, 593, 546, 564, 617], most: 1735 },
  p07: {
    capacity: 750,
    w: [70, 73, 77, 80, 82, 87, 90, 94, 98, 106, 110, 113, 115, 118, 120],
    p: [135, 139, 149, 150, 156, 163, 173, 184, 192, 201, 210, 214, 221, 229, 240],
    most: 1458,
  },
  p08: {
    capacity: 6_404_180,
    w: [
      382745, 799601, 909247, 729069, 467902, 44328, 34610, 698150, 823460, 903959, 853665, 551830, 610856, 670702,
      488960, 951111, 323046, 446298, 931161, 31385, 496951, 264724, 224916, 169684,
    ],
    p: [
      825594, 1677009, 1676628, 1523970, 943972, 97426, 69666, 1296457, 1679693, 1902996, 1844992, 1049289, 1252836,
      1319836, 953277, 2067538, 675367, 853655, 1826027, 65731, 901489, 577243, 466257, 369261,
    ],
    most: 13_549_094,
  },
};

for (const [name, { capacity, w, p, most }] of Object.entries(KNOWN)) {
  test(`${name} has its published optimum`, (t) => {
    const answer = exactSelect(knapsack(p, w, capacity));
    t.is(answer.outcome, 'optimal');
    t.is(answer.totals?.['p'], `${most}`);
    t.is(answer.best_bound, `${most}`);
  });
}

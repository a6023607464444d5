import type { ToolAmount } from '../../../workers/exact/tool-schema.ts';
import type { Plan } from '../../../workers/plan/plan.ts';
import { readPlan } from '../../../workers/plan/read/read-plan.ts';
import { type DrawnAct, documentOf, type RelationalCase } from './draw-case.ts';
import { drawCondition, drawNumber, type Words } from './draw-expression.ts';
import { isAligned, obeysRules } from './judge-case.ts';
import { createRandom, type Random } from './random.ts';

/** A plan whose steps move `a`, for the key `b` of its table, in the currency `e`. */
export interface BoundedCase {
  readonly source: RelationalCase;
  readonly plan: Plan;
  readonly amount: ToolAmount;
  /** Whether the type of `a` leaves out what is below zero. */
  readonly isNonNegative: boolean;
}

export const CURRENCIES = { p: 'EUR', q: 'USD' } as const;
const [A, B, E, X] = [
  ['arg', 'a'],
  ['arg', 'b'],
  ['arg', 'e'],
  ['state', 'x'],
];
const LOOKED = ['look', 't', 'v', [B]];
const TAKES = [
  ['-', X, A],
  ['-', X, A],
] as const;
const ENTRY = ['at', 'state', 'm', B];
const BEFORE: Words = {
  numbers: [A, B, X, ['var', 'c']],
  enums: [E],
  times: undefined,
  steps: [],
  maps: 'state',
  binders: [],
  hasRunFacts: false,
};

export function drawBounded(seed: number): BoundedCase {
  const random = createRandom(seed);
  const count = 1 + random.below(2);
  const source: RelationalCase = {
    rows: [0, 1, 2]
      .filter(() => random.chance(0.8))
      .map((k) => ({ k, v: random.below(5) - 1, s: random.pick(['p', 'q']) })),
    constant: random.below(4),
    initial: random.below(4),
    steps: Array.from({ length: count }, () => ({
      where: random.times(3, () => drawWhere(random)),
      after: [],
      overlaps: [],
      min: 0,
      max: 1 + random.below(5),
      effect: random.chance(0.6)
        ? random.pick<unknown>([
            ...TAKES,
            ['+', X, random.pick<unknown>([A, 1])],
            ['-', X, random.pick<unknown>([1, LOOKED])],
            drawNumber(random, BEFORE, 1),
          ])
        : undefined,
      entries: random.chance(0.5) ? [drawEntry(random)] : [],
    })),
    constraints: random.times(3, () => drawRule(random, count)),
    acts: [],
    recorded: 0,
    sheets: [],
    hasTimes: false,
  };
  const amount: ToolAmount = {
    of: ['arg', 'a'],
    unit: random.pick(['1', '0.25']),
    currency: random.chance(0.3) ? 'EUR' : ['arg', 'e'],
  };
  const isNonNegative = random.chance(0.8);
  return { source, amount, isNonNegative, plan: planOf(source, amount, isNonNegative) };
}

/** Amounts are of tools of the catalogue, so they are put into the plan that was read. */
function planOf(source: RelationalCase, amount: ToolAmount, isNonNegative: boolean): Plan {
  const text = JSON.stringify(documentOf(source))
    .replaceAll('"p"', JSON.stringify(CURRENCIES.p))
    .replaceAll('"q"', JSON.stringify(CURRENCIES.q))
    .replace(
      '"a":{"type":"int","min":0,"max":2}',
      `"a":{"type":"int"${isNonNegative ? ',"min":0' : ''}},"b":{"type":"int","min":0,"max":2}`,
    );
  const plan = readPlan(JSON.parse(text));
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, tool: { ...step.tool, amounts: [amount] } })) };
}

const drawWhere = (random: Random): unknown =>
  random.pick<unknown>([
    [random.pick(['<', '<=', '=']), A, random.below(4)],
    ['>=', A, random.below(3) - 1],
    [random.pick(['<', '<=', '=']), A, random.pick([LOOKED, LOOKED, ['look', 't', 'v', [A]]])],
    ['<=', ['*', 2, A], random.pick<unknown>([LOOKED, random.below(8)])],
    ['<=', A, ['min', LOOKED, random.below(4)]],
    ['in', 't', [B]],
    ['in', 't', [B]],
    ['=', E, ['look', 't', 's', [B]]],
    ['=', E, ['enum', 'p']],
    ['or', ['=', B, 0], ['=', B, 2]],
    ['<=', ['+', ENTRY, A], random.below(4)],
    ['<=', A, X],
    ['exists', ['table', 't'], 'x0', ['and', ['=', ['col', 'x0', 's'], E], ['<=', A, ['col', 'x0', 'v']]]],
    drawCondition(random, BEFORE, 2),
  ]);

function drawEntry(random: Random) {
  const key = random.pick<unknown>([B, B, 1, 1, drawNumber(random, BEFORE, 0)]);
  const entry = ['at', 'state', 'm', key];
  const value = random.pick<unknown>([
    ['+', entry, A],
    ['+', entry, A],
    ['+', A, entry],
    ['+', entry, 1],
    ['-', entry, random.pick<unknown>([1, A])],
    drawNumber(random, BEFORE, 1),
  ]);
  return { key, value };
}

function drawRule(random: Random, count: number): unknown {
  const [step, other] = [`s${random.below(count)}`, `s${random.below(count)}`];
  const [a, b, r] = [
    ['arg', 'x0', 'a'],
    ['arg', 'x0', 'b'],
    ['resp', 'x0', 'r'],
  ];
  const sum = (of: string, body: unknown = a) => ['sum', of, 'x0', body];
  const words: Words = {
    ...BEFORE,
    numbers: [
      ['final', 'x'],
      ['var', 'c'],
    ],
    enums: [],
    maps: 'final',
    steps: Array.from({ length: count }, (_, index) => `s${index}`),
  };
  return random.pick<unknown>([
    [random.pick(['<', '<=', '=']), sum(step), random.below(6)],
    ['<=', sum(step, ['+', a, random.pick<unknown>([r, a, b, ['-', ['min', b, 1]]])]), random.below(6)],
    ['<=', ['-', sum(step), random.pick([sum(other), ['count', other]])], random.below(4)],
    [
      '<=',
      ['+', sum(step), sum(other)],
      random.pick<unknown>([random.below(6), ['sum', ['table', 't'], 'x0', ['col', 'x0', 'v']]]),
    ],
    ['<=', ['count', step], random.below(3)],
    ['unique', step, 'x0', random.pick([[b], [b], [b, ['arg', 'x0', 'e']], [b, r], [['arg', 'x0', 'e']], [a]])],
    [random.pick(['>=', '=']), ['final', 'x'], random.below(3)],
    ['forall', step, 'x0', ['<=', a, random.pick<unknown>([random.below(3), b, ['+', r, 1]])]],
    ['forall', step, 'x0', ['exists', other, 'x1', ['<=', a, ['arg', 'x1', 'b']]]],
    ['or', ['<=', sum(step), 1], drawCondition(random, words, 1)],
    ['ite', ['<=', ['count', other], 1], ['<=', sum(step), 2], ['<=', sum(step), 3]],
    drawCondition(random, words, 2),
  ]);
}

/** Runs of a case that the interpreter finds valid, found by doing one possible act after the other. */
export function* validRuns({ source, isNonNegative }: BoundedCase, walks: number): Generator<readonly DrawnAct[]> {
  const random = createRandom(walks);
  const withoutRules = { ...source, constraints: [] };
  const amounts = [4, 3, 2, 1, 0, ...(isNonNegative ? [] : [-1])];
  const single = source.steps.flatMap((_, step) =>
    amounts.flatMap((a) =>
      [0, 1, 2].flatMap((b) =>
        (['p', 'q'] as const).flatMap((e) => [1, 0].map((r) => ({ step, a, b, e, r, started: 0, ended: 0 }))),
      ),
    ),
  );
  const first = single.filter((act) => isPossible([act]));
  // What the beginning of a run does not meet, no run that goes on so does.
  function isPossible(acts: readonly DrawnAct[]): boolean {
    return isAligned(source, acts) && obeysRules(withoutRules, acts);
  }
  for (let walk = 0; walk < walks && first.length > 0; walk += 1) {
    let acts: readonly DrawnAct[] = [];
    // Acts that are possible later, but not at first, are few.
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const options = random.chance(0.8) ? first : single;
      // The largest amounts come first.
      const act = options[Math.min(random.below(options.length), random.below(options.length))];
      if (act === undefined || !isPossible([...acts, act])) continue;
      acts = [...acts, act];
      if (obeysRules(source, acts)) yield acts;
    }
  }
}

const MOST_TRIES = 12;

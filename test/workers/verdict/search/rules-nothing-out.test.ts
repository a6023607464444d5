import test from 'ava';
import { fc } from '../../../kit/fast-check.ts';
import { coreOf, decisionOn } from '../../../models/abstracted-plan.ts';
import { APPROVALS, drawCase, readCase, readCaseActions } from '../../../models/relational/draw-case.ts';
import { canBeCompleted } from '../../../models/relational/judge-case.ts';

test('an abstraction never rules out a run that exists', (t) => {
  let [completed, ruledOut] = [0, 0];
  for (let seed = 0; seed < 150; seed++) {
    const source = drawCase(8402_000 + seed, { hasTimes: false, most: 2 });
    const found = canBeCompleted(source);
    if (found === undefined) continue;
    const plan = readCase(source);
    const { verdict } = decisionOn(plan, readCaseActions(source, plan), { approvals: APPROVALS });
    if (found) t.is(verdict, 'satisfied', `seed ${seed}`);
    if (found) completed += 1;
    else if (verdict === 'violated') ruledOut += 1;
  }
  t.true(completed > 20 && ruledOut > 20, `${completed} and ${ruledOut}`);
});

interface Pay {
  readonly n: number;
  readonly flag: boolean;
}
type InPair<T> = readonly [text: string, of: (pay: Pay, look: number) => T];

const PAYS_OF_RUN: readonly Pay[] = [0, 1, 2, 3].flatMap((n) => [false, true].map((flag) => ({ n, flag })));
const PAIRS = PAYS_OF_RUN.flatMap((one, at) => PAYS_OF_RUN.slice(at).map((other) => [one, other]));
const SMALL_RUNS = [undefined, 0, 1, 2, 3].flatMap((look) =>
  [[], ...PAYS_OF_RUN.map((one) => [one]), ...PAIRS].map((pays) => ({ look, pays })),
);
const NUMBERS: readonly InPair<number>[] = [
  ['p.n', ({ n }) => n],
  ['l.n', (_, look) => look],
  ['p.n - l.n', ({ n }, look) => n - look],
  ['max(p.n, l.n)', ({ n }, look) => Math.max(n, look)],
  ['l.n * 2 + 1', (_, look) => look * 2 + 1],
];
const TRUTHS: readonly InPair<boolean>[] = [
  ['p.flag', ({ flag }) => flag],
  ['p.n > l.n', ({ n }, look) => n > look],
  ['l.n > 1', (_, look) => look > 1],
  ['p.n == 2', ({ n }) => n === 2],
];
/** A rule about the payments, for some look: its text, and its meaning. */
type Inner = readonly [string, (pays: readonly Pay[], look: number) => boolean];
const inner = fc
  .record({
    word: fc.constantFrom('all', 'exists', 'unique', 'sum', 'sum of some', 'least', 'greatest'),
    number: fc.constantFrom(...NUMBERS),
    truth: fc.constantFrom(...TRUTHS),
    sign: fc.constantFrom('<=', '>=', '=='),
    bound: fc.integer({ min: -1, max: 5 }),
  })
  .map(({ word, number: [number, of], truth: [truth, is], sign, bound }): Inner => {
    const holds = (value: number) =>
      sign === '<=' ? value <= bound : sign === '>=' ? value >= bound : value === bound;
    const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
    switch (word) {
      case 'all':
        return [`pay.all(p, ${truth})`, (pays, look) => pays.every((pay) => is(pay, look))];
      case 'exists':
        return [`pay.exists(p, ${truth})`, (pays, look) => pays.some((pay) => is(pay, look))];
      case 'unique':
        return [
          `unique(pay, p, ${number})`,
          (pays, look) => new Set(pays.map((pay) => of(pay, look))).size === pays.length,
        ];
      case 'sum':
        return [
          `sum(pay, p, ${number}) ${sign} ${bound}`,
          (pays, look) => holds(sum(pays.map((pay) => of(pay, look)))),
        ];
      default:
        return [
          `${word.split(' ')[0]}(pay, p, ${number}, ${truth}) ${sign} ${bound}`,
          (pays, look) => {
            const values = pays.filter((pay) => is(pay, look)).map((pay) => of(pay, look));
            if (word === 'sum of some') return holds(sum(values));
            return values.length > 0 && holds(Math[word === 'least' ? 'min' : 'max'](...values));
          },
        ];
    }
  });

test('rules about pairs of actions never rule out a run that exists', (t) => {
  let [existing, ruledOut] = [0, 0];
  const rule = fc.tuple(fc.constantFrom('all', 'exists'), inner);
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.nat(1), fc.nat(2), (rules, looks, pays) => {
      const exists = SMALL_RUNS.some(
        (run) =>
          (run.look === undefined ? 0 : 1) >= looks &&
          run.pays.length >= pays &&
          rules.every(([word, [, holds]]) => {
            if (run.look === undefined) return word === 'all';
            return holds(run.pays, run.look);
          }),
      );
      const core = coreOf({
        tables: '',
        pay: `times: ${pays}..2`,
        steps: `look: { tool: look@1, times: ${looks}..1 }`,
        rules: rules.map(([word, [text]]) => `look.${word}(l, ${text})`),
      });
      if (exists) existing += 1;
      else if (core !== undefined) ruledOut += 1;
      return !exists || core === undefined;
    }),
    { numRuns: 60 },
  );
  t.true(existing > 15 && ruledOut > 2, `${existing} and ${ruledOut}`);
});

import test from 'ava';
import { fc } from '../../../kit/fast-check.ts';
import { coreOf } from '../../../models/abstracted-plan.ts';
import { type Act, meaningOf } from '../../../models/interpret.ts';
import { payDocument } from '../../../models/pay-plan.ts';

const NUMBERS = ['p.n', 'l.n', 'p.n - l.n', 'max(p.n, l.n)', 'l.n * 2 + 1'];
const TRUTHS = ['p.flag', 'p.n > l.n', 'l.n > 1', 'p.n == 2'];
/** A rule about the payments, for some look. */
const inner = fc
  .record({
    word: fc.constantFrom('all', 'exists', 'unique', 'sum', 'sum of some', 'least', 'greatest'),
    number: fc.constantFrom(...NUMBERS),
    truth: fc.constantFrom(...TRUTHS),
    compared: fc.tuple(fc.constantFrom('<=', '>=', '=='), fc.integer({ min: -1, max: 5 })),
  })
  .map(({ word, number, truth, compared }) => {
    if (word === 'all' || word === 'exists') return `pay.${word}(p, ${truth})`;
    if (word === 'unique') return `unique(pay, p, ${number})`;
    const some = word === 'sum' ? '' : `, ${truth}`;
    return `${word.split(' ')[0]}(pay, p, ${number}${some}) ${compared.join(' ')}`;
  });
const rule = fc.tuple(fc.constantFrom('all', 'exists'), inner).map(([word, text]) => `look.${word}(l, ${text})`);

const act = (step: string, arg: Act['arg']): Act => ({
  ...{ step, arg, resp: {}, position: 0, started: 0, ended: 0, isDone: false },
});
const PAYS = [0, 1, 2, 3].flatMap((n) => [false, true].map((flag) => act('pay', { n, flag })));
const SOME_PAYS = [
  [],
  ...PAYS.map((one) => [one]),
  ...PAYS.flatMap((one, at) => PAYS.slice(at).map((other) => [one, other])),
];
/** All runs of at most one look and two payments. */
const SMALL_RUNS = [[], ...[0, 1, 2, 3].map((n) => [act('look', { n })])].flatMap((looks) =>
  SOME_PAYS.map((pays) => ({ looks, pays })),
);

test('rules about pairs of actions never rule out a run that exists', (t) => {
  let [existing, ruledOut] = [0, 0];
  fc.assert(
    fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.nat(1), fc.nat(2), (rules, minLooks, minPays) => {
      const parts = {
        tables: '',
        pay: `times: ${minPays}..2`,
        steps: `look: { tool: look@1, times: ${minLooks}..1 }`,
        rules,
      };
      const { constraints } = payDocument(parts);
      const exists = SMALL_RUNS.some(({ looks, pays }) => {
        const acts = [...looks, ...pays];
        const world = { tables: {}, names: {}, map: new Map(), acts, approvals: [], bound: new Map() };
        const isLongEnough = looks.length >= minLooks && pays.length >= minPays;
        return isLongEnough && constraints.every(({ expr }) => meaningOf(expr, world) === true);
      });
      const core = coreOf(parts);
      if (exists) existing += 1;
      else if (core !== undefined) ruledOut += 1;
      return !exists || core === undefined;
    }),
    { numRuns: 60 },
  );
  t.true(existing > 15 && ruledOut > 2, `${existing} and ${ruledOut}`);
});

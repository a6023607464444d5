import test from 'ava';
import { type Expression, literal } from '../../../../workers/plan/language/terms.ts';
import type { ValueType } from '../../../../workers/plan/language/types.ts';
import type { Value } from '../../../../workers/plan/language/values.ts';
import { elaborate } from '../../../../workers/verdict/elaborate/elaborate.ts';
import { knownOutcome } from '../../../../workers/verdict/elaborate/kleene.ts';
import { argumentsThatMatter } from '../../../../workers/verdict/run/depends-on-arguments.ts';
import { openAction, payPlan, stepOf } from '../../../models/pay-plan.ts';

const ARGS: Readonly<Record<string, Value>> = {
  n: 1n,
  m: 0n,
  free: 500n,
  flag: false,
  kind: 'new',
  invoice: 'A',
  payee: 'P',
};

/** The arguments that matter to an effect on `left`, which is 80 before. */
function matter(effect: string, args: Readonly<Record<string, Value>> = {}) {
  const plan = payPlan({
    given: 'limit: 7777',
    state: 'left: { type: int, initial: 80 }',
    pay: `times: 0..9, effects: { left: '${effect}' }`,
  });
  const step = stepOf(plan);
  const expression = step.effects.get('left');
  if (expression === undefined) throw new Error('no effect');
  const { situation } = openAction(plan, step);
  const terms = (values: Iterable<readonly [string, Value]>) =>
    new Map([...values].map(([name, value]) => [name, literal(value)]));
  const known = { arg: terms(Object.entries({ ...ARGS, ...args })), state: terms([['left', 80n]]) };
  const names = { ...situation.names, ...known };
  let asked = 0;
  const valueWith = (values: ReadonlyMap<string, Value>) => {
    asked += 1;
    return knownOutcome(elaborate(expression, { ...situation, names: { ...names, arg: terms(values) } }));
  };
  return { names: [...argumentsThatMatter(expression, step.tool, { names, valueWith })].toSorted(), asked };
}

for (const [effect, names, args] of [
  ['state.left - args.free', ['free'], {}],
  ['state.left - args.free + args.n', ['free', 'n'], {}],
  ['state.left - 0 * args.free', [], {}],
  ['state.left', [], {}],
  ['args.flag ? 1 : 0', ['flag'], {}],
  ['args.flag ? 1 : 1', [], {}],
  ['args.kind == "old" ? 1 : 0', ['kind'], {}],
  ['args.payee == "Bo" ? 1 : 0', ['payee'], {}],
  ['args.payee == "" ? 1 : 0', ['payee'], {}],
  ['args.payee == "P" ? 1 : 0', ['payee'], {}],
  ['args.free == 0 ? 1 : 0', ['free'], {}],
  ['args.free == -500 ? 1 : 0', ['free'], {}],
  ['args.free >= 100500 ? 1 : 0', ['free'], {}],
  ['args.free == 1000 ? 1 : 0', ['free'], {}],
  ['args.free == -9500 ? 1 : 0', ['free'], {}],
  ['args.free == 12345 ? 1 : 0', ['free'], {}],
  ['args.free > 12345 ? 1 : 0', ['free'], {}],
  ['args.free > 12345 && args.free < 12347 ? 1 : 0', ['free'], {}],
  ['args.free < 12346 && args.free > 12344 ? 1 : 0', ['free'], {}],
  ['args.free == state.left ? 1 : 0', ['free'], {}],
  ['args.free == limit ? 1 : 0', ['free'], {}],
  ['args.free == limit - 1 ? 1 : 0', ['free'], {}],
  ['args.free == limit + 1 ? 1 : 0', ['free'], {}],
  ['args.free == limit - 43 ? 1 : 0', [], {}],
  ['args.free == state.left + 430 ? 1 : 0', ['free'], {}],
  ['args.free == state.left + 410 ? 1 : 0', ['free'], {}],
  ['args.n > 1 ? 1 : 0', ['n'], { n: 3n }],
  ['args.n > 3 ? 1 : 0', [], { n: 3n }],
] as const) {
  test(`of ${effect}, ${names.length === 0 ? 'no argument matters' : `${names.join(' and ')} matter`}`, (t) => {
    t.deepEqual(matter(effect, args).names, [...names]);
  });
}

test('the search for what an argument changes ends when it is found, and after 64 tries', (t) => {
  t.is(matter('state.left').asked, 1);
  t.is(matter('state.left - args.free').asked, 2);
  const many = Array.from({ length: 30 }, (_, index) => `(args.free == ${index * 1000} ? 0 : 0)`).join(' + ');
  t.is(matter(many).asked, 65);
});

test('the search for what all arguments change ends after 256 tries', (t) => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const effect: Expression = {
    op: '+',
    args: [
      ...names.map((name) => ({ op: 'reference', scope: 'arg', name }) as const),
      ...[3n, 30n, 300n, 3000n, 30_000n, 300_000n].map((value) => literal(value)),
    ],
  };
  let asked = 0;
  const valueWith = () => {
    asked += 1;
    return 0n;
  };
  const args = new Map(
    names.map((name): [string, ValueType] => [name, { type: 'int', min: -(10n ** 20n), max: 10n ** 20n }]),
  );
  const arg = new Map(names.map((name) => [name, literal(7n)]));
  t.is(argumentsThatMatter(effect, { args }, { names: { arg }, valueWith }).size, 0);
  t.is(asked, 257);
});

import test from 'ava';
import { BY_ROW, type Case, examine, PEOPLE, TO_PEOPLE } from './money-case.ts';

const ONCE = ['once: unique(pay, p, p.who)'];
const CAPPED_MAP = {
  ...TO_PEOPLE,
  effects: `{ 'paid[args.who]': 'state.paid[args.who] + args.m' }`,
  state: '{ paid: "map(string, decimal(2, 0.00..500.00), default 0.00)" }',
};

const FEES =
  '{ people: { key: who, columns: { who: string(64), most: decimal(2), code: string(3) }, rows: [{ who: ann, most: 1.00, code: USD }, { who: old, most: -24.00, code: EUR }] } }';

const NARROW: readonly (readonly [what: string, plan: Case, total: string])[] = [
  ['a map has a limit for each key', CAPPED_MAP, '1,500.00 EUR'],
  ['no two acts are for the same person', { ...TO_PEOPLE, rules: ONCE }, '1,200.00 EUR'],
  [
    'a row has less than nothing',
    { ...BY_ROW, tables: FEES, more: 'args.sum <= 100' },
    '10.00 USD**, at most **0 EUR** and at most **200 JPY',
  ],
  ['the row says the currency', BY_ROW, '1,000.00 EUR** and at most **70.00 USD'],
  ['the row says the currency, and is used once', { ...BY_ROW, rules: ONCE }, '150.00 EUR** and at most **7.00 USD'],
  [
    'the row says the currency, on the left',
    { ...BY_ROW, where: 'args.m <= people[args.who].most && people[args.who].code == args.code' },
    '1,000.00 EUR** and at most **70.00 USD',
  ],
  [
    'the plan says the currency, and the row says it too',
    {
      ...BY_ROW,
      where: 'args.m <= people[args.who].most && args.code == people[args.who].code && args.code == "EUR"',
    },
    '1,000.00 EUR',
  ],
  [
    'another row says the currency',
    {
      ...BY_ROW,
      args: '{ who: string(64), other: string(64), m: "decimal(2, 0.00..)", code: string(3) }',
      where: 'args.m <= people[args.other].most && args.code == people[args.who].code',
    },
    '1,000.00 EUR** and at most **1,000.00 USD',
  ],
  [
    'a row of another table says the currency',
    {
      ...BY_ROW,
      tables: `${PEOPLE.slice(0, -1)}, more: ${PEOPLE.slice('{ people: '.length, -1)} }`,
      where: 'args.m <= people[args.who].most && args.code == more[args.who].code',
    },
    '1,000.00 EUR** and at most **1,000.00 USD',
  ],
  [
    'a row says the currency in texts that are no codes, and another one does in codes',
    {
      ...BY_ROW,
      where:
        'args.code == people[args.who].who && args.m <= people[args.who].most && args.code == people[args.who].code',
    },
    '1,000.00 EUR** and at most **70.00 USD',
  ],
  [
    'the unit is a hundredth',
    { ...BY_ROW, amounts: 'args.m in 0.01 args.code' },
    '10.0000 EUR** and at most **0.7000 USD',
  ],
];

for (const [what, plan, total] of NARROW) {
  test(`where ${what}, the view says so`, (t) => {
    t.is(examine(plan).total, `at most **${total}**`);
  });
}

test('the view says how often a step can be done, where its acts must differ', (t) => {
  const { view } = examine({ ...TO_PEOPLE, rules: ONCE });
  t.regex(view, /^- Step `pay`, at most 3 times/m);
  t.regex(view, /^- `pay`, 0 to 3 times/m);
});

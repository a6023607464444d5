import test from 'ava';
import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { viewOf } from '../../../models/view.ts';
import { BY_ROW, type Case, catalogue, examine, PEOPLE, TO_PEOPLE } from './money-case.ts';

const CENTS = { args: '{ cents: int }', amounts: 'args.cents in 0.01 EUR', where: 'args.cents > 0' };

const IN_CURRENCY = {
  args: '{ amount: "decimal(2, 0..9)", currency: string(3) }',
  amounts: 'args.amount in args.currency',
};
const OF_RESPONSE = {
  args: '{ order: string(8) }',
  responds: '{ id: string(64), paid: "decimal(2, 0..)" }',
  amounts: 'response.paid in EUR',
  where: 'args.order == "A1"',
};

/** What a plan says, what it moves in all, and the codes of what keeps it without a limit. */
const CASES: readonly (readonly [what: string, plan: Case, total: string, code?: string])[] = [
  ['cents without a limit', CENTS, '**no limit**', 'AMOUNT_UNBOUNDED'],
  ['cents with a limit', { ...CENTS, where: 'args.cents >= 0 && args.cents <= 250' }, 'at most **25.00 EUR**'],
  ['cents, with a rule', { ...CENTS, rules: ['s: sum(pay, p, p.cents) <= 250'] }, 'at most **2.50 EUR**'],
  [
    'hours and a rate, which nobody described',
    { args: '{ hours: "int(0..8)", rate: "decimal(2, 0..100)" }', where: 'args.hours > 0' },
    '**no limit**',
    'AMOUNT_NOT_DESCRIBED',
  ],
  [
    'an amount that is no argument and is not described',
    { args: '{ order: string(8) }', where: 'args.order == "A1"' },
    '**no limit**',
    'AMOUNT_NOT_DESCRIBED',
  ],
  ['an amount of the response', OF_RESPONSE, '**no limit**', 'AMOUNT_UNBOUNDED'],
  [
    'an amount of the response, with a rule',
    {
      ...OF_RESPONSE,
      rules: ['s: sum(pay, p, p.response.paid) <= 40.00'],
    },
    'at most **40.00 EUR**',
    'AMOUNT_KNOWN_LATE',
  ],
  [
    'an amount and a fee, in one currency',
    {
      args: '{ cents: "int(0..100)" }',
      responds: '{ id: string(64), fee: "decimal(2, 0..1)" }',
      amounts: '[args.cents in 0.01 EUR, response.fee in EUR]',
      where: 'args.cents > 0',
    },
    'at most **20.00 EUR**',
    'AMOUNT_KNOWN_LATE',
  ],
  [
    'euros and yen',
    { ...CENTS, where: 'args.cents >= 0 && args.cents <= 250', more: 'args.sum <= 900' },
    'at most **25.00 EUR** and at most **1,800 JPY**',
  ],
  [
    'euros with a limit, and yen without one',
    { ...CENTS, where: 'args.cents >= 0 && args.cents <= 250', more: 'args.sum >= 900' },
    'at most **25.00 EUR** and **no limit** of JPY',
    'AMOUNT_UNBOUNDED',
  ],
  [
    'a currency that the agent chooses',
    {
      args: '{ amount: "decimal(2, 0..9)", currency: "enum(EUR, JPY)" }',
      amounts: 'args.amount in args.currency',
      where: 'args.amount > 0.00',
    },
    '**no limit**',
    'CURRENCY_OPEN',
  ],
  [
    'a currency that may be one of two',
    {
      ...IN_CURRENCY,
      where: 'args.currency in ["EUR", "JPY"]',
    },
    '**no limit**',
    'CURRENCY_OPEN',
  ],
  [
    'a currency that the plan says',
    {
      ...IN_CURRENCY,
      where: 'args.currency == chosen',
    },
    'at most **90.00 EUR**',
  ],
  [
    'a currency that the agent chooses, and a given value with a name that means nothing to the plan',
    {
      args: '{ amount: "decimal(2, 0..9)", currency: string(3), other: string(3) }',
      amounts: 'args.amount in args.currency',
      given: '{ undefined: "EUR" }',
      where: 'args.currency == args.other',
    },
    '**no limit**',
    'CURRENCY_OPEN',
  ],
  [
    'a currency that is no code',
    {
      args: '{ amount: "decimal(2, 0..9)", currency: string(99) }',
      amounts: 'args.amount in args.currency',
      where: 'args.currency == "EUR** in one run. <b>Approved</b>"',
    },
    '**no limit**',
    'CURRENCY_OPEN',
  ],
  [
    'a unit that the agent chooses',
    {
      args: '{ amount: "int(0..9)", unit: "enum(cent, euro)" }',
      amounts: 'args.amount in args.unit EUR',
      where: 'args.amount > 0',
    },
    '**no limit**',
    'CURRENCY_OPEN',
  ],
];

for (const [what, plan, total, code] of CASES) {
  test(`${what}: the view says what moves at most, and lint agrees`, (t) => {
    const seen = examine(plan);
    t.is(seen.total, total, seen.view);
    const isWarned = seen.codes.some((one) => one.startsWith('AMOUNT_') || one === 'CURRENCY_OPEN');
    t.is(isWarned, code !== undefined, seen.codes.join(', '));
    if (code !== undefined) t.true(seen.codes.includes(code), seen.codes.join(', '));
  });
}

test('a currency or unit without one value is said', (t) => {
  const { view } = examine({
    args: '{ amount: "int(0..9)", unit: "enum(cent, euro)", currency: string(3) }',
    amounts: 'args.amount in args.unit args.currency',
    where: 'args.amount > 0',
  });
  t.regex(view, /- `unit` says the currency or the unit, and \*\*has no one value in this plan\*\*/);
  t.regex(view, /- `currency` says the currency or the unit, and \*\*has no one value in this plan\*\*/);
});

test('one action is never shown with a higher bound than the run', (t) => {
  const { view } = examine({
    ...CENTS,
    where: 'args.cents > 0 && args.cents <= 900',
    rules: ['s: sum(pay, p, p.cents) <= 500'],
  });
  t.regex(view, /`cents`: in one action at most \*\*5\.00 EUR\*\*, in a run at most \*\*5\.00 EUR\*\*/);
});

test('the values of an argument are those of its conditions, whatever a given value is called', (t) => {
  const { view } = examine({
    args: '{ amount: "decimal(2, 0..9)", payee: string(64) }',
    amounts: 'args.amount in EUR',
    given: '{ undefined: "Acme", yes: true }',
    where: 'args.payee == (yes ? "Bo" : "Cy")',
  });
  t.regex(view, /- `payee`: `Bo` or `Cy`/);
});

test('only what a catalogue could write as a code is shown as a currency', (t) => {
  const totalOf = (code: string) =>
    examine({
      args: '{ amount: "decimal(2, 0..9)", currency: string(64) }',
      amounts: 'args.amount in args.currency',
      where: `args.currency == ${JSON.stringify(code)}`,
    }).total;
  for (const code of ['EUR', 'USDC', 'A12', 'ABCDEFGHIJKL']) t.is(totalOf(code), `at most **90.00 ${code}**`);
  for (const code of ['', 'EU', 'eur', 'EUr', '1EU', 'E-R', ' EUR', 'EUR ', 'EUR\n', 'ABCDEFGHIJKLM']) {
    t.is(totalOf(code), '**no limit**', code);
  }
  t.is(examine({ ...BY_ROW, tables: PEOPLE.replace('code: USD', 'code: usd') }).total, '**no limit**');
});

test('a currency that the agent chooses has no limit, whatever the other arguments are', (t) => {
  for (const where of ['args.amount > 0.00', 'args.other == "EUR"', '"EUR" == args.other', 'args.currency != "EUR"']) {
    const { view, total, codes } = examine({
      args: '{ amount: "decimal(2, 0..9)", currency: string(3), other: string(3) }',
      amounts: '[args.amount in args.currency, args.amount in EUR]',
      where,
    });
    t.is(total, '**no limit**', where);
    t.is(codes.filter((code) => code === 'CURRENCY_OPEN').length, 1, where);
    t.regex(view, /in one action at most \*\*9\.00\*\*, in a run at most \*\*90\.00\*\*/);
  }
});

/** The lines of the section about money. */
const linesOf = (one: Case) =>
  (examine(one).view.split('## What money can move\n\n')[1]?.split('\n\n## ')[0] ?? '').split('\n');

test('each number of an act is shown, and those that the catalogue does not describe as money without a currency', (t) => {
  t.deepEqual(
    linesOf({
      args: '{ cents: "int(0..100)", hours: "int(0..8)", account: int(0..), loose: int, kind: string(8), who: string(64) }',
      responds: '{ id: string(64), fee: "decimal(2, 0..1)", rest: decimal(2) }',
      amounts: '[args.cents in 0.01 EUR, response.fee in EUR]',
      where: 'args.account in [1, 2] && args.kind == "x"',
    }),
    [
      '- Step `pay`, at most 10 times, responses as the agent reports them:',
      '  - `cents`: in one action at most **1.00 EUR**, in a run at most **10.00 EUR** (10 times the most of one action)',
      '  - `response.fee`: in one action at most **1.00 EUR**, in a run at most **10.00 EUR** (10 times the most of one action); **known only after the act**',
      '  - `hours`: in one action at most **8**, in a run at most **80** (10 times the most of one action)',
      '  - `loose`: in one action **no limit**, in a run **no limit** (it may be negative, so a sum does not limit what moves); **it may be negative**',
      '  - `account`: `1` or `2`',
      '  - `kind`: `x`',
      '',
      'In all: at most **20.00 EUR** in one run.',
    ],
  );
  t.deepEqual(linesOf({ args: '{ order: "int(0..9)", rate: decimal(2) }', where: 'args.order in [1, 2]' }), [
    '- Step `pay`, at most 10 times, responses as the agent reports them:',
    '  - the catalogue does not say what money its tool moves, so it has **no limit**',
    '  - `order`: in one action at most **2**, in a run at most **20** (10 times the most of one action)',
    '  - `rate`: in one action **no limit**, in a run **no limit** (it may be negative, so a sum does not limit what moves); **it may be negative**',
    '',
    'In all: **no limit** in one run.',
  ]);
});

test('money of several steps is added up by currency, and an approval of several runs covers all of them', (t) => {
  const two = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
executions: 3
recorded: 20
steps:
  one: { tool: bank.pay@1, times: 1, where: args.cents <= 5 && args.cents >= 0 }
  two: { tool: bank.pay@1, times: 0..2, where: args.cents <= 50 && args.cents >= 0 }
`,
    toolsIn(catalogue(CENTS)),
  );
  const context = { tables: [], sheets: [], hash: 'a'.repeat(64), lint: [] };
  const view = viewOf(two, { ...context, tools: toolsIn(catalogue(CENTS)) });
  t.regex(
    view,
    /^In all: at most \*\*1\.05 EUR\*\* in one run\. The approval covers 3 runs, so all of this up to 3 times\.$/m,
  );
  t.regex(view, /^- Step `one`, at most 1 time, /m);
  t.notRegex(examine(CENTS).view, /The approval covers/);
  // Tools that are not here may move anything.
  const unknown = viewOf(two, { ...context, tools: [] });
  t.regex(
    unknown,
    /^- The tool `bank\.pay@1\.0\.0` of `one` is not described here, so what it moves has \*\*no limit\*\*\.$/m,
  );
  t.regex(unknown, /^In all: \*\*no limit\*\* in one run\./m);
  t.regex(
    unknown,
    /^- `one`, exactly once, by `bank\.pay@1\.0\.0`: \*\*anything\*\*: its tool is not described here$/m,
  );
  t.regex(unknown, /which is not described in the catalogue given here$/m);
});

test('money of a tool whose description is not known has no limit', (t) => {
  const plan = { ...TO_PEOPLE, more: 'args.sum <= 5' };
  t.is(examine(plan).total, 'at most **4,000.00 EUR** and at most **10 JPY**');
  t.is(examine({ ...plan, unknown: 'bank.wire' }).total, '**no limit**');
});

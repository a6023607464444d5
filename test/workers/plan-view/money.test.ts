import test from 'ava';
import { findDangers } from '../../../workers/plan-view/lint/find-dangers.ts';
import { viewPlan } from '../../../workers/plan-view/view-plan.ts';
import { planOf, toolsIn } from '../../models/plan-texts.ts';

interface Case {
  readonly args: string;
  readonly responds?: string;
  readonly amounts?: string;
  readonly where: string;
  readonly given?: string;
  readonly rules?: readonly string[];
  /** Another step, by a tool that takes `sum` in JPY. */
  readonly more?: string;
  /** As YAML. */
  readonly tables?: string;
  readonly state?: string;
  readonly effects?: string;
}

const catalogue = ({ args, responds = '{ id: string(64) }', amounts }: Case) => `tools:
  bank.pay@1.0.0:
    effect: revenue_write
    args: ${args}
    responds: ${responds}
    identity: id
${amounts === undefined ? '' : `    amounts: ${amounts}\n`}  bank.wire@1.0.0:
    effect: revenue_write
    args: { sum: "int(0..)" }
    responds: { id: string(64) }
    identity: id
    amounts: args.sum in JPY
`;

function examine(one: Case) {
  const tools = toolsIn(catalogue(one));
  const rules = one.rules ?? [];
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
recorded: 20
given: ${one.given ?? '{ chosen: "EUR" }'}
tables: ${one.tables ?? '{}'}
state: ${one.state ?? '{}'}
steps:
  pay: { tool: bank.pay@1, times: 0..10, where: ${JSON.stringify(one.where)}, effects: ${one.effects ?? '{}'} }
${one.more === undefined ? '' : `  wire: { tool: bank.wire@1, times: 0..2, where: ${JSON.stringify(one.more)} }\n`}rules:${
      rules.length === 0 ? ' {}' : rules.map((rule) => `\n  ${rule}`).join('')
    }
`,
    tools,
  );
  const context = { tools, tables: [], sheets: [] };
  const view = viewPlan(plan, { ...context, hash: 'a'.repeat(64), lint: [] });
  const codes = findDangers(plan, context).map(({ code }) => code);
  return { view, codes, total: /^In all: (.*) in one run/m.exec(view)?.[1] };
}

const CENTS = { args: '{ cents: int }', amounts: 'args.cents in 0.01 EUR', where: 'args.cents > 0' };

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
  [
    'an amount of the response',
    {
      args: '{ order: string(8) }',
      responds: '{ id: string(64), paid: "decimal(2, 0..)" }',
      amounts: 'response.paid in EUR',
      where: 'args.order == "A1"',
    },
    '**no limit**',
    'AMOUNT_UNBOUNDED',
  ],
  [
    'an amount of the response, with a rule',
    {
      args: '{ order: string(8) }',
      responds: '{ id: string(64), paid: "decimal(2, 0..)" }',
      amounts: 'response.paid in EUR',
      where: 'args.order == "A1"',
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
      args: '{ amount: "decimal(2, 0..9)", currency: string(3) }',
      amounts: 'args.amount in args.currency',
      where: 'args.currency in ["EUR", "JPY"]',
    },
    '**no limit**',
    'CURRENCY_OPEN',
  ],
  [
    'a currency that the plan says',
    {
      args: '{ amount: "decimal(2, 0..9)", currency: string(3) }',
      amounts: 'args.amount in args.currency',
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

test('an amount that is known only after the act is said to be', (t) => {
  const { view } = examine({
    args: '{ order: string(8) }',
    responds: '{ id: string(64), paid: "decimal(2, 0..)" }',
    amounts: 'response.paid in EUR',
    where: 'args.order == "A1"',
    rules: ['s: sum(pay, p, p.response.paid) <= 40.00'],
  });
  t.regex(view, /`response\.paid`: .*; \*\*known only after the act\*\*$/m);
});

const PEOPLE =
  '{ people: { key: who, columns: { who: string(64), most: decimal(2), code: string(3) }, rows: [{ who: ann, most: 100.00, code: EUR }, { who: ben, most: 50.00, code: EUR }, { who: cid, most: 7.00, code: USD }] } }';
const TO_PEOPLE = {
  tables: PEOPLE,
  args: '{ who: string(64), m: "decimal(2, 0.00..)", code: string(3) }',
  amounts: 'args.m in EUR',
  where: 'args.who in people && args.m <= 400.00',
};
const PAID = { effects: `{ 'paid[args.who]': 'state.paid[args.who] + args.m' }` };
const LEFT = { effects: `{ left: state.left - args.m }`, state: '{ left: 80.00 }' };
const ONCE = ['once: unique(pay, p, p.who)'];
const BY_ROW = {
  ...TO_PEOPLE,
  amounts: 'args.m in args.code',
  where: 'args.m <= people[args.who].most && args.code == people[args.who].code',
};
const CAPPED_MAP = { ...TO_PEOPLE, ...PAID, state: '{ paid: "map(string, decimal(2, 0.00..500.00), default 0.00)" }' };
const OPEN_MAP = { ...CAPPED_MAP, state: '{ paid: "map(string, decimal(2), default 0.00)" }' };
const CAP = ' && state.paid[args.who] + args.m <= 450.00';

const FEES =
  '{ people: { key: who, columns: { who: string(64), most: decimal(2), code: string(3) }, rows: [{ who: ann, most: 1.00, code: USD }, { who: old, most: -24.00, code: EUR }] } }';

const NARROW: readonly (readonly [what: string, plan: Case, total: string])[] = [
  ['a map has no limit', OPEN_MAP, '4,000.00 EUR'],
  ['a map has a limit for each key', CAPPED_MAP, '1,500.00 EUR'],
  ['a map has a limit, and there are many keys', { ...CAPPED_MAP, where: 'args.m <= 400.00' }, '4,000.00 EUR'],
  ['a condition limits the map', { ...OPEN_MAP, where: OPEN_MAP.where + CAP }, '1,350.00 EUR'],
  [
    'a condition limits the map, in another order',
    { ...OPEN_MAP, where: `${OPEN_MAP.where} && 450.00 >= args.m + state.paid[args.who]` },
    '1,350.00 EUR',
  ],
  [
    'a condition limits another key of the map',
    { ...OPEN_MAP, where: `${OPEN_MAP.where} && state.paid["ann"] + args.m <= 450.00` },
    '4,000.00 EUR',
  ],
  [
    'the map is set back',
    { ...CAPPED_MAP, effects: `{ 'paid[args.who]': 'state.paid[args.who] + args.m - 1.00' }` },
    '4,000.00 EUR',
  ],
  ['a rule says what is left of a state', { ...TO_PEOPLE, ...LEFT, rules: ['whole: state.left == 0.00'] }, '80.00 EUR'],
  ['a rule says the least of a state', { ...TO_PEOPLE, ...LEFT, rules: ['l: state.left >= -20.00'] }, '100.00 EUR'],
  ['a rule says the most of a state', { ...TO_PEOPLE, ...LEFT, rules: ['l: state.left <= 20.00'] }, '4,000.00 EUR'],
  ['no two acts are for the same person', { ...TO_PEOPLE, rules: ONCE }, '1,200.00 EUR'],
  [
    'no two acts are for the same person and code',
    { ...TO_PEOPLE, rules: ['o: unique(pay, p, [p.who, p.code])'] },
    '4,000.00 EUR',
  ],
  [
    'no two small acts are for the same person',
    { ...TO_PEOPLE, rules: ['o: pay.all(p, p.m > 0.00) || unique(pay, p, p.who)'] },
    '4,000.00 EUR',
  ],
  [
    'a row has less than nothing',
    { ...BY_ROW, tables: FEES, more: 'args.sum <= 100' },
    '10.00 USD**, at most **0 EUR** and at most **200 JPY',
  ],
  ['the row says the currency', BY_ROW, '1,000.00 EUR** and at most **70.00 USD'],
  ['the row says the currency, and is used once', { ...BY_ROW, rules: ONCE }, '150.00 EUR** and at most **7.00 USD'],
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

test('the money section names what limits a sum', (t) => {
  for (const [plan, reason] of [
    [CAPPED_MAP, 'the map `paid`, for each key'],
    [{ ...TO_PEOPLE, ...LEFT, rules: ['whole: state.left == 0.00'] }, 'the state `left` that it uses up'],
    [{ ...TO_PEOPLE, rules: ['cap: sum(pay, p, p.m) <= 90.00'] }, 'the rule `cap`'],
    [TO_PEOPLE, '10 times the most of one action'],
  ] as const) {
    t.true(examine(plan).view.includes(`EUR** (${reason})\n`), reason);
  }
});

test('the limits of a state that acts change are said', (t) => {
  const { view } = examine(CAPPED_MAP);
  t.regex(view, /^- the state `paid` begins as `0\.00`, and must stay at most \*\*500\.00\*\*$/m);
});

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
steps:
  pay: { tool: bank.pay@1, times: 0..10, where: ${JSON.stringify(one.where)} }
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

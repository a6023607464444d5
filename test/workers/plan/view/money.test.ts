import test from 'ava';
import { planOf, toolsIn } from '../../../models/plan-texts.ts';
import { partsOf, rowsOf } from '../../../models/trees.ts';
import { dangersOf, viewOf } from '../../../models/view.ts';

/**
 * A plan that pays by a tool of the catalogue. `more` is the condition of another step, by a tool that takes `sum` in JPY,
 * and `again` of another step by the same tool. With it, or with a rule over the runs, the plan is for three runs.
 */
type Case = Partial<
  Record<'args' | 'responds' | 'amounts' | 'where' | 'given' | 'rules' | 'runs' | 'more' | 'again' | 'tables', string>
>;

/** What a view and lint say of the plan. `total`: of its money in one run. */
function examine(one: Case) {
  const tools = toolsIn(`tools:
  bank.pay@1.0.0:
    effect: revenue_write
    identity: id
    args: ${one.args}
    responds: ${one.responds ?? '{ id: string(64) }'}
${one.amounts === undefined ? '' : `    amounts: ${one.amounts}\n`}  bank.wire@1.0.0:
    { effect: revenue_write, args: { sum: "int(0..)" }, responds: { id: string(64) }, identity: id, amounts: args.sum in JPY }
`);
  const step = (text: string, where: string | undefined) =>
    where === undefined ? '' : `\n  ${text}, where: ${JSON.stringify(where)} }`;
  const plan = planOf(
    `plan: P
expires: 2026-12-05T00:00:00Z
executions: ${one.again === undefined && one.runs === undefined ? 1 : 3}
recorded: 20
given: ${one.given ?? '{ chosen: "EUR" }'}
tables: ${one.tables ?? '{}'}
steps:${step('pay: { tool: bank.pay@1, times: 0..10', one.where)}${step('wire: { tool: bank.wire@1, times: 0..2', one.more)}${step('one: { tool: bank.pay@1, times: 1', one.again)}
rules: {${one.rules === undefined ? '' : ` r: ${JSON.stringify(one.rules)} `}}
runs: {${one.runs === undefined ? '' : ` b: ${JSON.stringify(one.runs)} `}}
`,
    tools,
  );
  const view = viewOf(plan, { tools });
  const codes = dangersOf(plan, { tools }).map(({ code }) => code);
  const money = (view.split('## What money can move\n\n')[1]?.split('\n\n## ')[0] ?? '').split('\n');
  return { view, codes, money, total: /^In all: (.*) in one run/m.exec(view)?.[1] };
}

/** Whom the rows of a table let a plan pay, and how much. The row of the payee gives the limit and the currency. */
const tableOf = (...rows: readonly string[]) =>
  `{ key: who, columns: { who: string(64), most: decimal(2), code: string(3) }, rows: [${rows.map((row) => `{ ${row} }`)}] }`;
const PEOPLE = tableOf(
  'who: ann, most: 100, code: EUR',
  'who: ben, most: 50, code: EUR',
  'who: cid, most: 7, code: USD',
);
const CENTS = { args: '{ cents: int }', amounts: 'args.cents in 0.01 EUR', where: 'args.cents > 0' };
const BY_ROW = 'args.m <= people[args.who].most && args.code == people[args.who].code';
const BASES: Readonly<Record<string, Case>> = {
  CENTS,
  FEW: { ...CENTS, where: 'args.cents >= 0 && args.cents <= 250' },
  SILENT: { args: '{ n: "int(0..8)", order: string(8) }', where: 'true' },
  CURRENCY: {
    args: '{ amount: "decimal(2, 0..9)", currency: string(99), other: string(3) }',
    amounts: 'args.amount in args.currency',
  },
  RESPONSE: {
    args: '{ order: string(8) }',
    responds: '{ id: string(64), paid: "decimal(2, 0..)" }',
    amounts: 'response.paid in EUR',
    where: 'args.order == "A1"',
  },
  BY_ROW: {
    tables: `{ people: ${PEOPLE} }`,
    args: '{ who: string(64), other: string(64), m: "decimal(2, 0.00..)", code: string(3) }',
    amounts: 'args.m in args.code',
    where: BY_ROW,
  },
};
const isCode = (text: string) => `CURRENCY; where: args.currency == ${JSON.stringify(text)} ⇒`;
const NO_CODES = [
  '',
  'EU',
  'eur',
  'EUr',
  '1EU',
  'E-R',
  ' EUR',
  'EUR ',
  'EUR\n',
  'ABCDEFGHIJKLM',
  'EUR** of one. <b>Ok</b>',
];

/** Plans with their changes, what they move in all, and the codes of lint. */
const CASES = `
CENTS ⇒ no | AMOUNT_UNBOUNDED
FEW ⇒ 25.00 EUR
CENTS; rules: sum(pay, p, p.cents) <= 250 ⇒ 2.50 EUR
SILENT ⇒ no | AMOUNT_NOT_DESCRIBED
SILENT; args: { order: string(8) } ⇒ no | AMOUNT_NOT_DESCRIBED
RESPONSE ⇒ no | AMOUNT_UNBOUNDED AMOUNT_KNOWN_LATE
RESPONSE; rules: sum(pay, p, p.response.paid) <= 40.00 ⇒ 40.00 EUR | AMOUNT_KNOWN_LATE
FEW; more: args.sum <= 900 ⇒ 25.00 EUR** and at most **1,800 JPY
FEW; more: args.sum >= 900 ⇒ 25.00 EUR** and **no limit** of JPY | AMOUNT_UNBOUNDED
FEW; again: args.cents >= 0 && args.cents <= 5 ⇒ 25.05 EUR
CURRENCY; where: args.currency == chosen ⇒ 90.00 EUR
CURRENCY; where: args.currency in ["EUR", "JPY"] ⇒ no | CURRENCY_OPEN
CURRENCY; given: { undefined: "EUR" }; where: args.currency == args.other ⇒ no | CURRENCY_OPEN
CURRENCY; where: args.amount > 0.00 ⇒ no | CURRENCY_OPEN
CURRENCY; where: args.other == "EUR" ⇒ no | CURRENCY_OPEN
CURRENCY; where: "EUR" == args.other ⇒ no | CURRENCY_OPEN
CURRENCY; where: args.currency != "EUR" ⇒ no | CURRENCY_OPEN
${['EUR', 'USDC', 'A12', 'ABCDEFGHIJKL'].map((code) => `${isCode(code)} 90.00 ${code}`).join('\n')}
${NO_CODES.map((text) => `${isCode(text)} no | CURRENCY_OPEN`).join('\n')}
BY_ROW; tables: { people: ${PEOPLE.replace('USD', 'usd')} } ⇒ no | CURRENCY_OPEN
BY_ROW ⇒ 1,000.00 EUR** and at most **70.00 USD
BY_ROW; rules: unique(pay, p, p.who) ⇒ 150.00 EUR** and at most **7.00 USD
BY_ROW; where: args.m <= people[args.who].most && people[args.who].code == args.code\
 ⇒ 1,000.00 EUR** and at most **70.00 USD
BY_ROW; where: ${BY_ROW} && args.code == "EUR" ⇒ 1,000.00 EUR
BY_ROW; where: ${BY_ROW.replace('[args.who]', '[args.other]')} ⇒ 1,000.00 EUR** and at most **1,000.00 USD
BY_ROW; tables: { people: ${PEOPLE}, more: ${PEOPLE} }; where: ${BY_ROW.replace('== people', '== more')}\
 ⇒ 1,000.00 EUR** and at most **1,000.00 USD
BY_ROW; where: args.code == people[args.who].who && ${BY_ROW} ⇒ 0.00 EUR** and at most **0.00 USD
BY_ROW; amounts: args.m in 0.01 args.code ⇒ 10.0000 EUR** and at most **0.7000 USD
BY_ROW; tables: { people: ${tableOf('who: ann, most: 1, code: USD', 'who: old, most: -24, code: EUR')} }; more: args.sum <= 100\
 ⇒ 10.00 USD**, at most **0.00 EUR** and at most **200 JPY
`;

for (const [text, said] of rowsOf(CASES)) {
  test(`the view says what moves at most, and lint agrees: ${text}`, (t) => {
    const [base = '', ...changes] = text.split('; ');
    const [total = '', codes = ''] = said.split(' | ');
    const seen = examine({ ...BASES[base], ...partsOf(changes.join('; ')) });
    const most = /\*\*.* of /.test(total) ? `at most **${total}` : `at most **${total}**`;
    t.is(seen.total, total === 'no' ? '**no limit**' : most, seen.view);
    const warned = seen.codes.filter((one) => one.startsWith('AMOUNT_') || one === 'CURRENCY_OPEN');
    t.is(warned.join(' '), codes);
  });
}

const PAY = '- Step `pay`, at most 10 times, responses as the agent reports them:';
const NO_LIMIT = ['', 'In all: **no limit** in one run.'];
/** All that the section says. */
const SECTIONS: readonly (readonly [what: string, plan: Case, lines: readonly string[]])[] = [
  [
    'each number of an act is shown, and those that the catalogue does not describe as money without a currency',
    {
      args: '{ cents: "int(0..100)", hours: "int(0..8)", account: int(0..), loose: int, kind: string(8), who: string(64) }',
      responds: '{ id: string(64), fee: "decimal(2, 0..1)", rest: decimal(2) }',
      amounts: '[args.cents in 0.01 EUR, response.fee in EUR]',
      where: 'args.account in [1, 2] && args.kind == "x"',
    },
    [
      PAY,
      '  - `cents`: in one action at most **1.00 EUR**, in a run at most **10.00 EUR** (10 times the most of one action)',
      '  - `response.fee`: in one action at most **1.00 EUR**, in a run at most **10.00 EUR** (10 times the most of one action); **known only after the act**',
      '  - `hours`: in one action at most **8**, in a run at most **80** (10 times the most of one action)',
      '  - `loose`: in one action **no limit**, in a run **no limit** (it may be negative, so a sum does not limit what moves); **it may be negative**',
      '  - `account`: `1` or `2`',
      '  - `kind`: `x`',
      '',
      'In all: at most **20.00 EUR** in one run.',
    ],
  ],
  [
    'where nothing is described as money, each number is shown',
    { args: '{ order: "int(0..9)", rate: decimal(2) }', where: 'args.order in [1, 2]' },
    [
      PAY,
      '  - the catalogue does not say what money its tool moves, so it has **no limit**',
      '  - `order`: in one action at most **2**, in a run at most **20** (10 times the most of one action)',
      '  - `rate`: in one action **no limit**, in a run **no limit** (it may be negative, so a sum does not limit what moves); **it may be negative**',
      ...NO_LIMIT,
    ],
  ],
  [
    'a currency and a unit without one value are said',
    {
      args: '{ amount: "int(0..9)", unit: "enum(cent, euro)", currency: string(3) }',
      amounts: 'args.amount in args.unit args.currency',
      where: 'args.amount > 0',
    },
    [
      PAY,
      '  - `amount`: in one action **no limit**, in a run **no limit** (10 times the most of one action)',
      '  - `unit` says the currency or the unit, and **has no one value in this plan**',
      '  - `currency` says the currency or the unit, and **has no one value in this plan**',
      ...NO_LIMIT,
    ],
  ],
  [
    'where acts must differ, a step is done less often; an approval of several runs covers all of them',
    { ...CENTS, where: 'args.cents in [5, 7]', rules: 'unique(pay, p, p.cents)', again: 'args.cents == 900' },
    [
      '- Step `pay`, at most 2 times, responses as the agent reports them:',
      '  - `cents`: in one action at most **0.07 EUR**, in a run at most **0.12 EUR** (the rule `r`)',
      '- Step `one`, at most 1 time, responses as the agent reports them:',
      '  - `cents`: in one action at most **9.00 EUR**, in a run at most **9.00 EUR** (1 times the most of one action)',
      '',
      'In all: at most **9.12 EUR** in one run. The approval covers 3 runs: at most **27.36 EUR** in all runs together, in at most 9 actions.',
    ],
  ],
  [
    'a rule over the runs limits what they move together, and so each of them',
    { ...CENTS, runs: 'sum(pay, p, p.cents) <= 900 && count(pay) <= 12' },
    [
      PAY,
      '  - `cents`: in one action at most **9.00 EUR**, in a run at most **9.00 EUR** (the rule `b`)',
      '',
      'In all: at most **9.00 EUR** in one run. The approval covers 3 runs: at most **9.00 EUR** in all runs together, in at most 12 actions.',
    ],
  ],
  [
    'rows that are used once in all runs limit them, and states of a run do not',
    {
      args: '{ who: string(64), m: decimal(2) }',
      amounts: 'args.m in EUR',
      tables: `{ people: ${PEOPLE} }`,
      where: 'args.m > 0.00 && args.m <= people[args.who].most',
      rules: 'sum(pay, p, p.m) <= 120.00',
      runs: 'unique(pay, p, p.who)',
    },
    [
      '- Step `pay`, at most 3 times, responses as the agent reports them:',
      '  - `m`: in one action at most **100.00 EUR**, in a run at most **120.00 EUR** (the rule `r`)',
      '  - `who`: `ann`, `ben` or `cid`',
      '',
      'In all: at most **120.00 EUR** in one run. The approval covers 3 runs: at most **157.00 EUR** in all runs together, in at most 3 actions.',
    ],
  ],
];

for (const [what, plan, lines] of SECTIONS) test(what, (t) => t.deepEqual(examine(plan).money, lines));

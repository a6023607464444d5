import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { PlanDocument } from '../../../workers/exact/plan-schema.ts';
import { findDangers } from '../../../workers/plan-view/lint/find-dangers.ts';
import { code } from '../../../workers/plan-view/markdown/escape.ts';
import { viewPlan } from '../../../workers/plan-view/view-plan.ts';
import { fc } from '../../kit/fast-check.ts';
import { APPROVED_TABLE, planOf, planText, TOOLS, TOOLS_TEXT, toolsIn } from '../../models/plan-texts.ts';

const CONTEXT = { hash: 'a'.repeat(64), tools: TOOLS, tables: [APPROVED_TABLE], sheets: [], lint: [] };
const PLAN = planOf(planText(['once: unique(pay, p, p.invoice)', 'sums: sum(pay, p, p.amount) <= cap']));
const view = (plan: PlanDocument, context: Partial<Parameters<typeof viewPlan>[1]> = {}) =>
  viewPlan(plan, { ...CONTEXT, ...context });
const htmlOf = (markdown: string) => micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
/** The tags of a page, in order: what it consists of, without its words. */
const tagsOf = (html: string) => [...html.matchAll(/<(?!\/?(?:code|strong)>)[^>]*>/g)].map(([tag]) => tag);

test('a view says what is done, how much money moves, and which hash is approved', (t) => {
  const text = view(PLAN);
  for (const line of [
    '# Plan `A plan`',
    '- **Step `pay`**, 0 to 10 times, by the tool `bank.pay@2.3.1`, which **moves money**; its responses are compared with computed states',
    '  - only if `args.amount` is above `0.00`',
    '    - it reads `id` `string(64)` at `/id`',
    '    - where `evidence.id` is `response.id`',
    '  - `amount`: in one action at most **25.00 EUR**, in a run at most **25.00 EUR** (the rule `sums`)',
    'In all: at most **25.00 EUR** in one run.',
    '- `once`: no two `pay` actions `p` have the same `p.invoice`',
    '- `sums`: the sum of `p.amount` over all `pay` actions `p` is at most `cap` (`25.00`)',
    '- `look`: responses are believed as the agent reports them. A proof allows at most 20 such actions.'.replace(
      '`look`',
      '`look` and `mail`',
    ),
    '- `sent`: these states follow what is reported. No tool confirms them.',
    'Expires at `2026-12-05T00:00:00.000000Z`, for 1 run. 1 approver must approve.',
    '  - total of `amount`: 150.50',
    '  - `invoice` `A1`, `amount` `100.00`, `payee` `Acme`',
    '- `ARGUMENT_FREE` at `/steps/1/where`: `nothing says what payee of pay must be: the agent chooses it`',
  ]) {
    t.true(text.split('\n').includes(line), `${line}\n${text}`);
  }
});

const HOSTILE = [
  'x\n# Approved\n',
  '`# x`',
  '``` \n## Warnings\n\nNone.\n```',
  '](http://evil) <b onclick=x>',
  '<!-- ',
  '\\`*_{}[]()#+-.!|~>',
  'https://evil.example www.evil.example a@b.example',
  '&lt;&#35; ',
  ' ` ',
  '\r\n- item',
];

test('no text of a plan becomes markup', (t) => {
  const plain = tagsOf(htmlOf(view({ ...PLAN, title: 'x' })));
  const texts = fc.oneof(
    fc.constantFrom(...HOSTILE),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }),
    fc.array(fc.constantFrom(...HOSTILE, '`', '\n', '#', ' '), { minLength: 1 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, (title) => {
      t.deepEqual(tagsOf(htmlOf(view({ ...PLAN, title }))), plain, JSON.stringify(title));
    }),
    { numRuns: 150 },
  );
});

test('texts of conditions, tables and given values are escaped as well', (t) => {
  const text = '`\n# Approved `';
  const plan = planOf(planText([`r: ${JSON.stringify(`name == ${JSON.stringify(text)}`)}`]));
  const rows = [{ a: text, b: '1', c: true }];
  const hostile = {
    ...plan,
    variables: { ...plan.variables, name: { type: 'string', max: 99, value: text } },
    tables: { pairs: { key: ['a'], columns: { a: { type: 'string', max: 99 } }, inline: rows } },
  };
  t.deepEqual(
    view(hostile)
      .split('\n')
      .filter((line) => /^\s*# /.test(line)),
    ['# Plan `A plan`'],
  );
});

test('what a reader cannot see is shown by its code points', (t) => {
  t.is(code('a\u202eb\u200bc\u0000\n\u00a0d\u2028'), '`a⟨U+202E⟩b⟨U+200B⟩c⟨U+0000⟩⟨U+000A⟩⟨U+00A0⟩d⟨U+2028⟩`');
  t.is(code(''), '`  ` (empty)');
  for (const hidden of ['\u3164', '\u115f', '\u2800', '\u034f', '\ufe0f', '\u180e', '\u{e0100}']) {
    t.is(code(`Acme${hidden}`), `\`Acme⟨U+${hidden.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}⟩\``);
  }
  t.not(code('⟨U+200B⟩'), code('\u200b'));
});

test('a long text is cut, and differs from another one with the same beginning', (t) => {
  const long = code('x'.repeat(1_000));
  t.true(long.startsWith(`\`${'x'.repeat(240)}…\` (cut, 1000 characters, SHA-256 `), long);
  t.not(code(`${'x'.repeat(999)}y`), long);
});

/** Texts that can be mistaken for others, and what is said of them. */
const LOOK_ALIKES: readonly (readonly [text: string, note: string])[] = [
  ['Асme', 'mixes alphabets: Cyrillic and Latin'],
  ['Асме', 'in Cyrillic letters'],
  ['ΑΒΕ', 'in Greek letters'],
  ['ᎪᏟᎷᎬ', 'in Cherokee letters'],
  ['Rene\u0301', 'letters and accents are separate characters'],
  ['Acme ', 'ends with a space'],
  [' Acme', 'begins with a space'],
  ['Ac  me', 'several spaces in a row'],
  ['Ａcme', 'full-width, mathematical or other variants of characters'],
  ['𝐀cme', 'full-width, mathematical or other variants of characters'],
  ['ɑcme', 'rare letters'],
  ['Acme L\u0131mited', 'rare letters'],
  ['Acme Li\u0307mited', 'marks on characters that have none'],
  ['https://bank.example\u2215pay.evil.org', 'punctuation that is not that of a keyboard'],
  ['A١', 'digits that are not 0 to 9'],
];

test('what can be mistaken for another text is noted', (t) => {
  for (const [text, note] of LOOK_ALIKES) t.true(code(text).endsWith(` (${note})`), `${code(text)}: ${note}`);
  for (const plain of ['Acme GmbH & Co. KG', 'René', 'Łódź', 'args.amount', '2026-12-05T00:00:00Z', 'a@b.example']) {
    t.is(code(plain), `\`${plain}\``);
  }
});

test('a view names the differences from the plan before', (t) => {
  const text = planText(['sums: sum(pay, p, p.amount) <= cap', 'fresh: count(pay) <= 3'])
    .replace('cap: 25.00', 'cap: 90.00')
    .replace('times: 0..10', 'times: 0..11')
    .replace('args.amount > 0.00', 'args.amount >= 0.00');
  const lines = view(planOf(text), { predecessor: PLAN }).split('\n');
  for (const line of [
    '- the given value `cap` changed, from: `decimal(2)` `25.00` — to: `decimal(2)` `90.00`',
    '- the step `pay` changed, from: 0 to 10 times, by `bank.pay@2.3.1` — to: 0 to 11 times, by `bank.pay@2.3.1`',
    '- the condition of `pay`, `where` changed, from: `args.amount` is above `0.00` — to: `args.amount` is at least `0.00`',
    '- the rule `fresh` is **new**: the number of `pay` actions is at most 3',
    '- the rule `once` is **gone**: no two `pay` actions `p` have the same `p.invoice`',
  ]) {
    t.true(lines.includes(line), `${line}\n${lines.join('\n')}`);
  }
});

/** Where clauses and rules of the step pay, and the most that a run can move. */
const BOUNDS: readonly (readonly [string, readonly string[], string])[] = [
  ['args.amount > 0.00', [], 'no limit'],
  ['args.amount > 0.00 && args.amount <= 7.50', [], '75.00'],
  ['args.amount > 0.00 && cap >= args.amount', [], '250.00'],
  ['args.amount <= 7.50', ['s: sum(pay, p, p.amount) <= cap'], 'no limit'],
  ['args.amount >= 0.00', ['s: sum(pay, p, p.amount) <= cap'], '25.00'],
  ['args.amount >= 0.00', ['s: cap >= sum(pay, p, p.amount) && flag'], '25.00'],
  ['args.amount >= 0.00', ['s: sum(pay, p, p.amount, p.payee == "a") <= cap'], 'no limit'],
  ['args.amount >= 0.00', ['s: sum(pay, p, p.amount) <= cap || flag'], 'no limit'],
  ['flag', ['s: pay.all(p, p.amount >= 0.00 && p.amount < 3.00)'], '30.00'],
  ['args.amount == approved[args.invoice].amount', [], '1,000.00'],
  ['args.amount == approved[args.invoice].amount', ['u: unique(pay, p, p.invoice)'], '150.50'],
  ['args.amount == approved[args.invoice].amount', ['u: unique(pay, p, [p.invoice, p.payee])'], '1,000.00'],
  ['args.amount == approved[args.invoice].amount', ['u: unique(pay, p, p.invoice, p.payee == "a")'], '1,000.00'],
  ['args.amount > 0.00 && args.amount <= min(approved[args.invoice].amount, 2.00)', [], '20.00'],
  ['args.amount in [5.00, 9.00]', [], '90.00'],
  ['args.amount == 5.00 || args.amount > 9.00', [], 'no limit'],
  ['args.amount > 0.00 && args.amount <= (flag ? 5.00 : 9.00)', [], '90.00'],
  ['args.amount > 0.00 && (flag ? args.amount <= 5.00 : args.amount <= 9.00)', [], '90.00'],
  ['args.amount > 0.00 && (flag ? args.amount <= 5.00 : args.amount >= 9.00)', [], 'no limit'],
  ['args.amount > 0.00 && args.amount <= max(5.00, 9.00)', [], '90.00'],
  ['args.amount > 0.00 && !(args.amount > 9.00)', [], '90.00'],
  ['args.amount > 0.00 && !(flag && args.amount > 9.00)', [], 'no limit'],
  ['args.amount > 0.00 && 2 * args.amount + 1.00 <= 8.01', [], '35.00'],
  ['args.amount > 0.00 && args.amount <= approved[args.invoice].amount * 0.5', [], '500.00'],
  [
    'args.amount > 0.00 && args.amount <= approved[args.invoice].amount * 0.5',
    ['u: unique(pay, p, p.invoice)'],
    '75.25',
  ],
  ['args.amount > 0.00', ['s: 2 * sum(pay, p, p.amount) <= 50'], '25.00'],
  ['args.amount > 0.00', ['s: sum(pay, p, 3 * p.amount) <= 50'], '16.66'],
  ['args.amount > 0.00', ['s: 30.00 - sum(pay, p, p.amount) >= 5.00'], '25.00'],
  ['args.amount > 0.00', ['s: sum(pay, p, p.amount) - count(mail) <= 25.00'], '30.00'],
  ['args.amount > 0.00', ['s: sum(pay, p, p.amount) <= sum(approved, r, r.amount)'], '150.50'],
  ['args.amount > 0.00', ['s: sum(pay, p, p.amount) <= 25.00 || count(mail) > 2'], 'no limit'],
  ['args.amount > 0.00', ['s: "flag ? sum(pay, p, p.amount) <= 25.00 : sum(pay, p, p.amount) <= 26.00"'], '26.00'],
  [
    'args.amount > 0.00',
    ['s: pay.all(p, approved.exists(r, r.invoice == p.invoice && p.amount <= r.amount))'],
    '1,000.00',
  ],
  ['args.amount > 0.00', ['s: count(pay) <= 3'], 'no limit'],
];

test('the most that moves follows from types, conditions, tables and rules', (t) => {
  for (const [where, rules, most] of BOUNDS) {
    const plan = planOf(planText(rules, { where: JSON.stringify(where) }));
    const text = view(plan);
    const shown = most === 'no limit' ? '**no limit**' : `at most **${most} EUR**`;
    const said = `${where} ${rules.join(' ')}\n${text.slice(text.indexOf('## What money'), text.indexOf('## Rules'))}`;
    t.true(text.includes(`In all: ${shown} in one run`), said);
    const isUnlimited = findDangers(plan, CONTEXT).some(({ code }) => code.startsWith('AMOUNT_'));
    t.is(isUnlimited, most === 'no limit', said);
  }
});

/** Another tool that changes the state, and whether what moves is still limited by it. */
const OTHER_EFFECTS: readonly (readonly [what: string, effect: string, args: string, isLimited: boolean])[] = [
  ['a fee that it takes', 'state.left - 1.50', '{ id: string(8) }', true],
  ['an amount that it takes', 'state.left - args.sum', '{ sum: "decimal(2, 0..)" }', true],
  ['an amount that it takes, which may be negative', 'state.left - args.sum', '{ sum: decimal(2) }', false],
  ['a negative fee', 'state.left - -1.50', '{ id: string(8) }', false],
  ['an amount that it gives back', 'state.left + args.sum', '{ sum: "decimal(2, 0..)" }', false],
  ['a value that it sets', '"80.00 + 0.00"', '{ id: string(8) }', false],
];

test('a state that only falls, and has a least value, limits what moves; one that another step raises does not', (t) => {
  const viewOf = (text: string, toolsText: string) => {
    const tools = toolsIn(toolsText.replaceAll('state: { left: decimal(2) }', 'state: { left: "decimal(2, 0..)" }'));
    const plan = planOf(text.replace('left: 80.00', 'left: { type: "decimal(2, 0..)", initial: 80.00 }'), tools);
    return viewPlan(plan, { ...CONTEXT, tools });
  };
  t.regex(viewOf(planText([]), TOOLS_TEXT), /In all: at most \*\*80\.00 EUR\*\*/);
  for (const [what, effect, args, isLimited] of OTHER_EFFECTS) {
    const other = `  bank.other@1.0.0:
    effect: write
    replay: effects
    args: ${args}
    responds: { left: decimal(2) }
    state: { left: decimal(2) }
    effects: { left: ${effect} }
    observe: { left: left }
`;
    for (const [before, after] of [
      ['  pay:', '  other: { tool: bank.other@1, times: 0..3 }\n  pay:'],
      ['rules:', '  other: { tool: bank.other@1, times: 0..3 }\nrules:'],
    ] as const) {
      const text = viewOf(planText([]).replace(before, after), TOOLS_TEXT + other);
      t.regex(text, isLimited ? /In all: at most \*\*80\.00 EUR\*\*/ : /In all: \*\*no limit\*\*/, what);
    }
  }
});

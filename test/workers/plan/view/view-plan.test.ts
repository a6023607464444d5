import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { fc } from '../../../kit/fast-check.ts';
import { APPROVED_TABLE, planOf, planText, TOOLS, TOOLS_TEXT, toolsIn } from '../../../models/plan-texts.ts';
import { viewOf } from '../../../models/view.ts';

const CONTEXT = { hash: 'a'.repeat(64), tools: TOOLS, tables: [APPROVED_TABLE], sheets: [], lint: [] };
const PLAN = planOf(planText(['once: unique(pay, p, p.invoice)', 'sums: sum(pay, p, p.amount) <= cap']));
const view = (plan: PlanDocument, context: Partial<Parameters<typeof viewOf>[1]> = {}) =>
  viewOf(plan, { ...CONTEXT, ...context });
const htmlOf = (markdown: string) => micromark(markdown, { extensions: [gfm()], htmlExtensions: [gfmHtml()] });
/** The tags of a page, in order: what it consists of, without its words. */
const tagsOf = (html: string) => [...html.matchAll(/<(?!\/?(?:code|strong)>)[^>]*>/g)].map(([tag]) => tag);

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
  const viewWith = (text: string, toolsText: string) => {
    const tools = toolsIn(toolsText.replaceAll('state: { left: decimal(2) }', 'state: { left: "decimal(2, 0..)" }'));
    const plan = planOf(text.replace('left: 80.00', 'left: { type: "decimal(2, 0..)", initial: 80.00 }'), tools);
    return viewOf(plan, { ...CONTEXT, tools });
  };
  t.regex(viewWith(planText([]), TOOLS_TEXT), /In all: at most \*\*80\.00 EUR\*\*/);
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
      const text = viewWith(planText([]).replace(before, after), TOOLS_TEXT + other);
      t.regex(text, isLimited ? /In all: at most \*\*80\.00 EUR\*\*/ : /In all: \*\*no limit\*\*/, what);
    }
  }
});

import test from 'ava';
import { micromark } from 'micromark';
import { gfm, gfmHtml } from 'micromark-extension-gfm';
import type { PlanDocument } from '../../../../workers/exact/plan-schema.ts';
import { fc } from '../../../kit/fast-check.ts';
import { APPROVED_TABLE, planOf, planText, TOOLS } from '../../../models/plan-texts.ts';
import { viewOf } from '../../../models/view.ts';

const PLAN = planOf(planText(['once: unique(pay, p, p.invoice)', 'sums: sum(pay, p, p.amount) <= cap']));
const view = (plan: PlanDocument) => viewOf(plan, { tools: TOOLS, tables: [APPROVED_TABLE] });
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
    fc
      .array(fc.constantFrom(...HOSTILE, '`', '\n', '#', ' '), { minLength: 1 })
      .map((parts) => parts.join('').slice(0, 200)),
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
  const hostile = {
    ...plan,
    variables: { ...plan.variables, name: { type: 'string', max: 99, value: text } },
    tables: {
      ...plan.tables,
      pairs: { key: ['a'], columns: { a: { type: 'string', max: 99 } }, inline: [{ a: text }] },
    },
  };
  t.deepEqual(view(hostile).match(/^\s*# .*/gm), ['# Plan `A plan`']);
});

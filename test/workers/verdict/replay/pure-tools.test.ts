import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { isRecord } from '../../../../services/platform/is-record.ts';
import { canonicalText } from '../../../../workers/exact/canonical-json.ts';
import { defined } from '../../../../workers/exact/defined.ts';
import { PURE_TOOLS } from '../../../../workers/plan/pure-tools.ts';
import { respondsAs, runPureTool } from '../../../../workers/verdict/replay/run-pure-tool.ts';
import { generator, itemsOf } from '../../../models/instances.ts';

const outcomeOf = (output: unknown): unknown => (isRecord(output) ? output['outcome'] : undefined);
const PAGES = new URL('../../../fixtures/pages/', import.meta.url);

const FRAGMENTS = [
  '<p>We have refunded <b>80.00</b> for order A1.',
  '<h1>A</h1><ul><li>1<li>2<ol><li>x</ol></ul><pre><code class="language-js">a\n  b</code></pre>',
  '<table><tr><th>a<th>b<tr><td>1|2<td>3</table><blockquote><p>q<p>r</blockquote><hr><img src="/i.png" alt="x">',
  '* not _emphasis_ [nor](a link) 1. nor # heading &lt;b&gt; \\ `code`',
];

const SELECTIONS = [
  ...[2, 3, 5, 7, 11].map((seed) => {
    const random = generator(seed);
    const column = () => Array.from({ length: 12 }, () => random(40));
    return {
      scale: 0,
      items: itemsOf({ a: column(), b: column(), c: column() }, 12),
      choose: { min: seed % 4, max: 8 },
      capacities: [{ of: 'a', max: '90' }],
      at_most_one: [['i001', 'i002', 'i003']],
      objectives: [
        { of: 'b', direction: 'maximize' },
        { of: 'c', direction: 'minimize' },
      ],
      node_limit: 10 ** (seed % 5),
    };
  }),
  { scale: 0, items: [], choose: { min: 1, max: 1 } },
];

/**
 * The output of a tool version must never change, because proofs name the version. If this test fails, the output has
 * changed. Then the tool needs a new version, with the new hash.
 */
test('the output of html-to-markdown@1.5.0 is unchanged', (t) => {
  const tool = defined(PURE_TOOLS.get('html-to-markdown@1.5.0'));
  const pages = readdirSync(PAGES)
    .sort()
    .map((name) => readFileSync(new URL(name, PAGES), 'utf8'));
  const outputs = [...FRAGMENTS, ...pages].map((html) => runPureTool(tool, new Map([['html', html]])));
  t.is(outputs.length, FRAGMENTS.length + pages.length);
  t.is(hash('sha256', canonicalText(outputs)), '1cc4e27f6884bd83b0246977997a22b40beb039906a1827629489a7e984cb8ed');
});

test('the output of exact-select@1.2.0 is unchanged', (t) => {
  const tool = defined(PURE_TOOLS.get('exact-select@1.2.0'));
  const outputs = SELECTIONS.map((selection) => runPureTool(tool, new Map([['selection', JSON.stringify(selection)]])));
  t.deepEqual(outputs.map(outcomeOf), [
    'optimal',
    'optimal',
    'indeterminate',
    'optimal',
    'indeterminate',
    'infeasible',
  ]);
  t.is(hash('sha256', canonicalText(outputs)), 'db02cacc6798931965025be1e9b4d04e274356f9af828cfbc56dd7857f427f61');
});

test('a text that is not a selection has no output', (t) => {
  const tool = defined(PURE_TOOLS.get('exact-select@1.2.0'));
  for (const text of ['', '{', '[]', '{"scale":0,"items":[{"id":"a","values":{"p":"1.5"}}]}']) {
    t.is(runPureTool(tool, new Map([['selection', text]])), undefined, text);
  }
});

test('a selection that two parsers could read differently has no output', (t) => {
  const tool = defined(PURE_TOOLS.get('exact-select@1.2.0'));
  const outcome = (choose: string) => {
    const text = `{"scale":0,"items":[],"choose":${choose}}`;
    return outcomeOf(runPureTool(tool, new Map([['selection', text]])));
  };
  t.is(outcome('{"min":0,"max":3}'), 'optimal');
  t.is(outcome('{"min":0,"max":2.9999999999999999999}'), undefined);
  t.is(outcome('{"min":0,"max":3,"max":3}'), undefined);
});

test('links are resolved if the source is given', (t) => {
  const tool = defined(PURE_TOOLS.get('html-to-markdown@1.5.0'));
  const args = Object.entries({ html: '<a href="/toll">Toll', sourceUrl: 'https://example.com/roads' });
  t.like(runPureTool(tool, new Map(args)), { markdown: '[Toll](https://example.com/toll)\n' });
});

test('arguments that the tool refuses have no response, and what is no object is none', (t) => {
  const tool = defined(PURE_TOOLS.get('html-to-markdown@1.5.0'));
  t.false(respondsAs(tool, new Map([['html', '<div>'.repeat(200_000)]]), { markdown: '' }));
  for (const none of [null, undefined, [], '']) t.false(respondsAs(tool, new Map([['html', '']]), none));
});

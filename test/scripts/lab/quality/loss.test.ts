import test from 'ava';
import { type Block, readBlocks } from '../../../../scripts/lab/quality/loss/blocks.ts';
import { countLoss } from '../../../../scripts/lab/quality/loss/count.ts';
import { loadLabeledPages } from '../../../../scripts/lab/quality/loss/labeled-pages.ts';
import { lossOfLabeled } from '../../../../scripts/lab/quality/loss/loss.ts';
import { formatTotals, formatWorst, type PageLoss } from '../../../../scripts/lab/quality/loss/report.ts';

const short = (blocks: readonly Block[]) => blocks.map(({ kind, parts }) => `${kind}: ${parts.join('|').trim()}`);
const heading = (text: string): Block => ({ kind: 'heading', parts: [text] });
const paragraph = (...parts: readonly string[]): Block => ({ kind: 'paragraph', parts });
const code = (text: string): Block => ({ kind: 'code', parts: [text] });

/** The texts that are lost if the blocks become this Markdown. */
function lost(blocks: readonly Block[], markdown: string, title: string | null = null): readonly string[] {
  return countLoss(blocks, { title, markdown }).lost.map(({ parts }) => parts.join('|'));
}

test('the blocks of a page are those of its main part, each with its kind', (t) => {
  const html = `<body><p>frame</p><main><h2>Gates</h2><p>All <b>are</b> open.</p><ul><li>one</li></ul><pre>x = 1</pre>
    <table><tr><th>City</th><td>Oslo</td></tr></table><dl><dt>toll</dt><dd>a fee</dd></dl></main>`;
  t.deepEqual(short(readBlocks(html)), [
    'heading: Gates',
    'paragraph: All are open.',
    'item: one',
    'code: x = 1',
    'cell: City',
    'cell: Oslo',
    'term: toll',
    'item: a fee',
  ]);
});

test('the text around a block within another one is a block before it and one after it', (t) => {
  t.deepEqual(short(readBlocks('<ul><li>before<p>within</p>after</li></ul>')), [
    'item: before',
    'paragraph: within',
    'item: after',
  ]);
});

test('text is split at formulas and raised characters', (t) => {
  t.deepEqual(readBlocks('<p>Here x<sup>2</sup> is <math><mi>y</mi></math>.'), [paragraph('Here x', ' is ')]);
});

test('menus, hidden text, lists of sections and numbers of lines are no blocks, and headings with such names are', (t) => {
  const html = `<nav><p>a</p></nav><div role=menu><p>a</p></div><p hidden>b</p><p aria-hidden=true>c</p><p style="display: none">d</p>
    <ul><li><a href="#x">e</a><li><a href="#y">f</a></ul><pre><span class=lineno>1</span></pre>
    <h2 class=toc>Contents</h2><p hidden=until-found>g`;
  t.deepEqual(short(readBlocks(html)), ['heading: Contents', 'paragraph: g']);
});

test('a short footer is no block, and one with a heading is', (t) => {
  t.deepEqual(short(readBlocks('<p>a</p><div class=footer><p>Copyright</p></div>')), ['paragraph: a']);
  t.deepEqual(short(readBlocks('<div id=footer><h2>Footer</h2><p>a</p></div>')), ['heading: Footer', 'paragraph: a']);
});

test('an unsure sign of the main part counts if it has half of the text', (t) => {
  t.deepEqual(short(readBlocks('<p>frame</p><div id=content><p>longer</p></div>')), ['paragraph: longer']);
  t.deepEqual(short(readBlocks('<p>the frame</p><div id=content><p>short</p></div>')), [
    'paragraph: the frame',
    'paragraph: short',
  ]);
});

test('marks, escapes, addresses of links and pictures make no difference', (t) => {
  t.deepEqual(
    lost([paragraph('Call the_gate now.')], '*Call* [the\\_gate](https://a.example/x "y")![z](z.png) now.'),
    [],
  );
  t.deepEqual(lost([paragraph('Call the gate now.')], 'Call the keeper now.'), ['Call the gate now.']);
});

test('code that looks like a link is found', (t) => {
  t.deepEqual(lost([code('gates[open](keeper)')], '```\ngates[open](keeper)\n```'), []);
});

test('a heading must be a line of its own, or in a row or an item', (t) => {
  t.deepEqual(lost([heading('Cookies')], 'We like cookies.'), ['Cookies']);
  t.deepEqual(lost([heading('Cookies')], '## Cookies'), []);
  t.deepEqual(lost([heading('Cookies')], '| Cookies | 2 |'), []);
  t.deepEqual(lost([heading('Cookies')], 'Text', 'Cookies'), []);
});

test('repeated blocks must be there as often', (t) => {
  const line = paragraph('Row, my brothers');
  t.is(lost([line, line, line], 'Row, my brothers\n\nRow, my brothers').length, 1);
  t.is(lost([heading('Notes'), heading('Notes')], '## Notes').length, 1);
});

test('a long block is kept if most of its pieces are', (t) => {
  const text = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ');
  t.deepEqual(lost([paragraph(text)], text.replace('word30', 'other')), []);
  t.deepEqual(lost([paragraph(text)], text.slice(0, 200)), [text]);
});

test('short blocks other than headings are not counted', (t) => {
  t.is(countLoss([paragraph('yes'), heading('Yes')], { title: null, markdown: '' }).blocks.length, 1);
});

test('a labeled page names what is lost, what of the frame is kept and a wrong title', (t) => {
  const html = '<title>Toll</title><h1>Toll</h1><p>Pay at the gate.</p>';
  const label = { name: 'toll', html, stays: ['# Toll', 'Pay twice.'], goes: ['gate'], title: ['A', 'B'] };
  const { headings, lostHeadings, lost, faults } = lossOfLabeled(label);
  t.deepEqual(
    { headings, lostHeadings, lost, faults },
    { headings: 1, lostHeadings: 0, lost: ['Pay twice.'], faults: ['kept: gate', 'title: Toll'] },
  );
});

test('the labeled pages have what their labels name, in each part of the page', (t) => {
  const pages = loadLabeledPages();
  t.is(pages.length, 28);
  for (const { name, stays, goes } of pages) t.true(stays.length >= 10 && goes.length > 0, name);
});

test('the report adds up the pages of a group, and names the worst first', (t) => {
  const page = (name: string, blocks: number, lost: readonly string[]): PageLoss => ({
    ...{ name, group: 'manual', headings: 2, lostHeadings: 1, blocks, lost, faults: [] },
  });
  const pages = [page('a.html', 10, ['heading: A']), page('b.html', 2, ['heading: B'])];
  t.regex(
    formatTotals(pages),
    /^manual +2 pages, headings lost 2 of 4 \(50\.00 %\), blocks lost 2 of 12 \(16\.67 %\)\nall/,
  );
  t.is(formatWorst(pages, 1), 'b.html: 1 of 2 blocks\n  heading: B');
});

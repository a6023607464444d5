import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { dropRepeats } from '../../../../workers/html-to-markdown/page/repeats.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

const TEXT = prose('A', 60);

/** The ids of the elements that remain when repeats below the element with index `root` are dropped. */
function left(html: string, root = 0): readonly string[] {
  const survey = Survey.of(bodyOf(html));
  dropRepeats(survey, root);
  return survey.elements
    .filter((_, index) => survey.dropped[index] === 0)
    .flatMap((node) => node.getAttribute('id') ?? []);
}

test('the same paragraph for other screens is dropped each time', (t) => {
  const copy = (id: string, name: string) => `<div class=${name}><p id=${id}>${TEXT}</p></div>`;
  t.deepEqual(left(`<p id=a>${TEXT}</p>${copy('b', 'wide')}<p id=c>other</p>${copy('d', 'narrow')}`), ['a', 'c']);
});

test('the same paragraph in the same place is a refrain', (t) => {
  t.deepEqual(left(`<p id=a>${TEXT}</p><p id=b>${TEXT}</p><p id=c>other</p><p id=d>${TEXT}</p>`), ['a', 'b', 'c', 'd']);
  const verse = (id: string) => `<div class=verse><p>${id}</p><p id=${id}>${TEXT}</p></div>`;
  t.deepEqual(left(`<div>${verse('a')}${verse('b')}</div><section>${verse('c')}</section>`), ['a', 'b', 'c']);
});

test('a quote is a repeat of the same quote elsewhere, and a refrain within a quote stays', (t) => {
  const quote = (id: string, times = 1) => `<blockquote>${`<p id=${id}>${TEXT}</p>`.repeat(times)}</blockquote>`;
  t.deepEqual(left(quote('a') + quote('b')), ['a']);
  t.deepEqual(left(quote('a', 2)), ['a', 'a']);
});

test('a link to another page is a repeat wherever it is', (t) => {
  t.deepEqual(left(`<p id=a><a href=x>${TEXT}</a></p><p>other</p><p id=b><a href=x>${TEXT}</a></p>`), ['a']);
});

test('equal paragraphs are repeats in any place and in any element', (t) => {
  t.deepEqual(left(`<div><p id=a>${TEXT}</p></div><section><blockquote id=b>${TEXT}</blockquote></section>`), ['a']);
  t.deepEqual(left(`<h2 id=a>${TEXT}</h2><ul><li id=b>${TEXT}</li></ul>`), ['a']);
});

test('white space around paragraphs and markup in them make no difference', (t) => {
  t.deepEqual(left(`<p id=a>${TEXT}</p><div id=b>\n <b>${TEXT}</b> </div>`), ['a']);
});

test('paragraphs that differ in one character are not repeats', (t) => {
  t.deepEqual(left(`<p id=a>${TEXT}</p><p id=b>${TEXT}!</p>`), ['a', 'b']);
});

test('text of fewer than 40 characters may be repeated', (t) => {
  const page = (characters: number) => {
    const text = prose('A', characters);
    return `<p id=a>${text}</p><p id=b>another text</p><div id=c>${text}</div>`;
  };
  t.deepEqual(left(page(39)), ['a', 'b', 'c']);
  t.deepEqual(left(page(40)), ['a', 'b']);
});

test('a heading of any length may be repeated', (t) => {
  t.deepEqual(left(`<h2 id=a>${TEXT}</h2><p id=b>another text</p><h2 id=c>${TEXT}</h2>`), ['a', 'b', 'c']);
});

test('short text and headings are repeats if they occur twice in a row', (t) => {
  t.deepEqual(left('<p id=a>Toll gates</p><div id=b>Toll gates</div><h2 id=c>Toll gates</h2>'), ['a']);
  t.deepEqual(left(`<h1 id=a>${TEXT}</h1><div><h2 id=b>${TEXT}</h2></div>`), ['a']);
});

test('text of fewer than 8 characters may occur twice in a row', (t) => {
  t.deepEqual(left('<p id=a>1234567</p><div id=b>1234567</div>'), ['a', 'b']);
  t.deepEqual(left('<p id=a>12345678</p><div id=b>12345678</div>'), ['a']);
});

test('text may be repeated in a table', (t) => {
  t.deepEqual(left(`<table><tr><td id=a>${TEXT}<td id=b>${TEXT}<tr><td id=c><p id=d>${TEXT}</table>`), [
    'a',
    'b',
    'c',
    'd',
  ]);
});

test('text may be repeated in code', (t) => {
  t.deepEqual(left(`<pre id=a>${TEXT}</pre><pre id=b>${TEXT}</pre>`), ['a', 'b']);
});

test('a paragraph after a table or code with the same text is not a repeat', (t) => {
  t.deepEqual(left(`<pre id=a>${TEXT}</pre><table><td id=b>${TEXT}</table><p id=c>${TEXT}</p>`), ['a', 'b', 'c']);
});

test('text without a block of its own is not compared', (t) => {
  t.deepEqual(left(`<p id=a>${TEXT}</p><div id=b><span id=c>${TEXT}</span><p id=d>x</p></div>`), ['a', 'b', 'c', 'd']);
});

test('the blocks of an element are compared, not the element itself', (t) => {
  t.deepEqual(left(`<div id=a><p id=b>${TEXT}</p></div><div id=c>${TEXT}</div><div id=d><p id=e>${TEXT}</p></div>`), [
    'a',
    'b',
    'd',
    'e',
  ]);
});

test('dropped text is neither compared nor remembered', (t) => {
  const survey = Survey.of(bodyOf(`<div><p>${TEXT}</p></div><p>${TEXT}</p>`));
  survey.drop(1);
  dropRepeats(survey, 0);
  t.deepEqual(survey.dropped, [0, 1, 1, 0]);
});

test('text outside the main content does not count', (t) => {
  const page = `<p id=a>${TEXT}</p><div id=b><p id=c>${TEXT}</p><div id=d>${TEXT}</div></div><p id=e>${TEXT}</p>`;
  t.deepEqual(left(page, 2), ['a', 'b', 'c', 'e']);
});

test('the text of a repeat no longer counts for the elements around it', (t) => {
  const survey = Survey.of(bodyOf(`<p>${TEXT}</p><div>${TEXT}</div>`));
  dropRepeats(survey, 0);
  t.is(survey.text[0], 60);
});

test('repeats are written once for a page, and every time for a fragment', (t) => {
  const html = `<p>${TEXT}</p><div>${TEXT}</div>`;
  t.is(htmlToMarkdown({ html: `<body>${html}` }).markdown, `${TEXT}\n`);
  t.is(htmlToMarkdown({ html }).markdown, `${TEXT}\n\n${TEXT}\n`);
  t.is(htmlToMarkdown({ html: `<body>${html}`, extraction: 'full' }).markdown, `${TEXT}\n\n${TEXT}\n`);
});

test('text between two equal texts separates them', (t) => {
  t.deepEqual(
    left('<h3 id=a>Parameters</h3><table><td>x</table><h3 id=b>Parameters</h3><pre>y</pre><h3 id=c>Parameters'),
    ['a', 'b', 'c'],
  );
});

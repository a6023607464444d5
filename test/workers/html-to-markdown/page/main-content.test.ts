import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { prose } from './pages.ts';

const TEXT = 'A toll house is where a toll is paid, and where its keeper lives, at a gate of a turnpike road. '.repeat(
  5,
);
const PAGE = `<!doctype html><html><head><title>Toll houses</title></head><body>
  <header><a href="/">Home</a></header><nav><ul><li><a href="/a">Roads</a><li><a href="/b">Bridges</a></ul></nav>
  <div class="cookie-banner">We use cookies.</div>
  <main><article><header><h1>Toll houses</h1></header><p>${TEXT}</p><div class="share">Tell others</div></article></main>
  <aside>Most read</aside><footer>Imprint</footer></body></html>`;
const FRAME = ['Home', 'Roads', 'cookies', 'Most read', 'Imprint', 'Tell others'];

test('only the main content of a page is written', (t) => {
  const { markdown } = htmlToMarkdown({ html: PAGE });
  t.true(markdown.startsWith('# Toll houses\n\nA toll house'));
  for (const words of FRAME) t.false(markdown.includes(words), words);
});

test('full extraction writes everything that a reader sees', (t) => {
  const { markdown } = htmlToMarkdown({ html: PAGE, extraction: 'full' });
  for (const words of FRAME) t.true(markdown.includes(words), words);
});

test('a fragment is written whole, unless only the main content is requested', (t) => {
  const html = `<nav>Roads</nav><p>${TEXT}`;
  t.true(htmlToMarkdown({ html }).markdown.startsWith('Roads'));
  t.false(htmlToMarkdown({ html, extraction: 'main' }).markdown.includes('Roads'));
});

test('most of a page is written whatever its class is', (t) => {
  t.true(htmlToMarkdown({ html: `<body><div class="sidebar">${TEXT}</div>` }).markdown.includes('toll house'));
  t.is(htmlToMarkdown({ html: '<html><body><nav>Roads</nav></body></html>' }).markdown, 'Roads\n');
});

test('noscript content is written only if it is most of the page', (t) => {
  const noscript = '<noscript><p>Please enable scripts.</p></noscript>';
  t.is(htmlToMarkdown({ html: `<body><div id="app"></div>${noscript}` }).markdown, 'Please enable scripts.\n');
  t.false(htmlToMarkdown({ html: `<body><p>${TEXT}</p>${noscript}` }).markdown.includes('Please'));
});

test('no single article of several is the content', (t) => {
  const post = (name: string, characters: number) => `<article><p>${prose(name, characters)}</p></article>`;
  const page = (other: number) =>
    htmlToMarkdown({ html: `<body>${post('First', 400)}${post('Other', other)}` }).markdown;
  t.true(page(201).includes('Other'));
  t.false(page(200).includes('Other'));
});

test('a part with the prose but not with the links of a list is not the content', (t) => {
  const page = (links: number) =>
    htmlToMarkdown({ html: `<body><div><p>${prose('Intro', 700)}</p></div>${'<a href=x>Rod</a>'.repeat(links)}` })
      .markdown;
  t.false(page(100).includes('Rod'));
  t.true(page(101).includes('Rod'));
});

const ABOUT = `<p>By the keeper</p><p>${prose('Notes', 199)}</p>`;
const ARTICLE = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Gates"}</script>';
const narrowed = (head: string, main: string) =>
  htmlToMarkdown({ html: `<head>${head}</head><body><main>${main}` }).markdown;

test('an article is written without what is around the part with nearly all prose', (t) => {
  const body = (characters: number) => `${ABOUT}<div class=box><p>${prose('Text', characters)}</p></div>`;
  t.false(narrowed(ARTICLE, body(1791)).includes('Notes'));
  t.true(narrowed(ARTICLE, body(1790)).includes('Notes'));
  t.true(narrowed('', body(1791)).includes('Notes'));
});

test('an article with little prose, or with more text around its prose, is written whole', (t) => {
  const short = `${'<p>By the keeper</p>'.repeat(30)}<div class=box><p>${prose('Text', 999)}</p></div>`;
  t.true(narrowed(ARTICLE, short).includes('By the keeper'));
  t.false(narrowed(ARTICLE, short.replace('</p></div>', '!</p></div>')).includes('By the keeper'));
  const table = `${'<b>cell</b>'.repeat(251)}<div class=box><p>${prose('Text', 1000)}</p></div>`;
  t.true(narrowed(ARTICLE, table).includes('cell'));
});

test('a page whose address has a title is an article', (t) => {
  const body = `${ABOUT}<div class=box><p>${prose('Text', 1791)}</p></div>`;
  const at = (path: string) =>
    narrowed(`<link rel=canonical href="https://example.com${path}">`, body).includes('Notes');
  t.false(at('/blog/how-to-open-a-gate'));
  t.true(at('/gates'));
});

import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';

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
  t.false(htmlToMarkdown({ html, extraction: 'article' }).markdown.includes('Roads'));
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

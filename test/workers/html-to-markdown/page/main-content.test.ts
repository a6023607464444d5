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

test('of a page only its main content is written', (t) => {
  const { markdown } = htmlToMarkdown({ html: PAGE });
  t.true(markdown.startsWith('# Toll houses\n\nA toll house'));
  for (const words of FRAME) t.false(markdown.includes(words), words);
});

test('all that a reader sees is written when all is asked for', (t) => {
  const { markdown } = htmlToMarkdown({ html: PAGE, extraction: 'full' });
  for (const words of FRAME) t.true(markdown.includes(words), words);
});

test('of a fragment nothing is left out, unless only the main content is asked for', (t) => {
  const html = `<nav>Roads</nav><p>${TEXT}`;
  t.true(htmlToMarkdown({ html }).markdown.startsWith('Roads'));
  t.false(htmlToMarkdown({ html, extraction: 'article' }).markdown.includes('Roads'));
});

test('what is most of a page is written whatever it is called', (t) => {
  t.true(htmlToMarkdown({ html: `<body><div class="sidebar">${TEXT}</div>` }).markdown.includes('toll house'));
  t.is(htmlToMarkdown({ html: '<html><body><nav>Roads</nav></body></html>' }).markdown, 'Roads\n');
});

test('what is for browsers without scripts is written only when it holds the page', (t) => {
  const noscript = '<noscript><p>Please enable scripts.</p></noscript>';
  t.is(htmlToMarkdown({ html: `<body><div id="app"></div>${noscript}` }).markdown, 'Please enable scripts.\n');
  t.false(htmlToMarkdown({ html: `<body><p>${TEXT}</p>${noscript}` }).markdown.includes('Please'));
});

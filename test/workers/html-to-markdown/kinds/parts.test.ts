import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { prose } from '../page/pages.ts';

/** What a page of a reference keeps of its parts. */
function keeps(body: string, words: readonly string[]): readonly string[] {
  const { markdown } = htmlToMarkdown({ html: `<html><head><title>Gates</title></head><body>${body}</body></html>` });
  return words.filter((word) => markdown.includes(word));
}

const LONG = `<p>${prose('Opening', 600)}</p>`;

test('code before the longest part stays', (t) => {
  const body = `<div id="top"><h1>open</h1><section><div class="declaration"><pre>void open(Gate *gate)</pre></div>
    <div class="description">${LONG}</div></section></div>`;
  t.deepEqual(keeps(body, ['void open', 'Opening']), ['void open', 'Opening']);
});

test('code after the longest part stays', (t) => {
  const body = `<div><div class="doc">${LONG}</div><div class="use"><pre>gate.open()</pre></div></div>`;
  t.deepEqual(keeps(body, ['gate.open()']), ['gate.open()']);
});

test('short parts stay with their headings beside the longest part', (t) => {
  const row = (name: string) => `<div class="row"><a href="${name}.html">${name}</a> lifts ${name}s on the road</div>`;
  const body = `<div id="top"><h1>Gates</h1><h2>Structs</h2><div>${LONG}</div><h2>Enums</h2><div>${row('Bar')}</div></div>`;
  t.deepEqual(keeps(body, ['## Structs', '## Enums', 'Bar']), ['## Structs', '## Enums', 'Bar']);
});

test('a section with a summary stays before the section with the details', (t) => {
  const link = '<li><a href="#open">open</a>, <a href="#close">close</a></li>';
  const body = `<div><section class="summary"><ul><li><section><h2>Methods</h2><ul>${link}</ul></section></li></ul></section>
    <section class="details"><ul><li><section><h2>Details of methods</h2>${LONG}</section></li></ul></section></div>`;
  t.deepEqual(keeps(body, ['## Methods', 'close']), ['## Methods', 'close']);
});

test('a column of links with linked headings is still left out', (t) => {
  const teaser = '<h3><a href="/bridges">Bridges</a></h3>';
  const body = `<div><div class="a">${LONG}</div><div class="b">${teaser}<p>By the river</p></div></div>`;
  t.deepEqual(keeps(body, ['Opening', 'Bridges', 'river']), ['Opening']);
});

test('a signature with links to types is no announcement, whatever its id', (t) => {
  const type = (name: string) => `<a href="${name}.html">${name}</a>`;
  const item = (name: string) =>
    `<section id="method.${name}" class="method"><span><a href="/src">source</a></span>
      <h4>fn ${name}(self, predicate: P) -&gt; ${type('Filter')}&lt;Self, P&gt; where P: ${type('FnMut')}(T)</h4></section>
      <p>It uses a closure.</p>`;
  const body = `<main><h1>Gates</h1>${LONG}<h2>Methods</h2>${item('filter')}${item('login')}${item('map')}</main>`;
  t.deepEqual(keeps(body, ['fn filter', 'fn login', 'fn map']), ['fn filter', 'fn login', 'fn map']);
});

test('a part whose heading is mostly a link to another page is still left out', (t) => {
  const teaser = '<h4>1. <a href="/news/bridge.html">The bridge of the river opens again</a></h4><p>Today.</p>';
  const body = `<main><h1>Gates</h1>${LONG}<section id="recommended">${teaser}</section></main>`;
  t.deepEqual(keeps(body, ['Opening', 'The bridge']), ['Opening']);
});

test('parts of the same class stay after the longest one, and other sections do not', (t) => {
  const part = (name: string, of: string) =>
    `<section class="${of}"><h2>${name}</h2><ul><li>${name} list</ul></section>`;
  const long = `<section class="hierarchy"><h2>Classes</h2>${LONG}</section>`;
  const body = `<div>${long}${part('Interfaces', 'hierarchy')}${part('Offers', 'cards')}</div>`;
  t.deepEqual(keeps(`<div>${long}${part('Interfaces', 'hierarchy')}</div>`, ['Classes', 'Interfaces']), [
    'Classes',
    'Interfaces',
  ]);
  t.deepEqual(keeps(`<div>${long}${part('Offers', 'cards')}</div>`, ['Classes', 'Offers']), ['Classes']);
  t.deepEqual(keeps(body, ['Classes', 'Interfaces']), ['Classes', 'Interfaces']);
});

for (const id of ['javax.security.auth.login', 'gate.Cookie.filter', 'http.cookies']) {
  test(`the part with the id ${id} is about what it is named after`, (t) => {
    const body = `<main><h1>Uses</h1>${LONG}<section id="${id}"><p><a href="x.html">Subclass</a></p></section></main>`;
    t.deepEqual(keeps(body, ['Opening', 'Subclass']), ['Opening', 'Subclass']);
  });
}

for (const id of ['login', 'site-footer', 'comments']) {
  test(`the links of the part with the id ${id} are still left out`, (t) => {
    const body = `<main><h1>Uses</h1>${LONG}<section id="${id}"><p><a href="x.html">Subclass</a></p></section></main>`;
    t.deepEqual(keeps(body, ['Opening', 'Subclass']), ['Opening']);
  });
}

import { repeats } from '../../../../workers/html-to-markdown/page/repeats.ts';
import { prose, type Row, testRule } from './pages.ts';

const TEXT = prose('A', 60);
const copy = (id: string, name: string) => `<div class=${name}><p id=${id}>${TEXT}</p></div>`;
const verse = (id: string) => `<div class=verse><p>${id}</p><p id=${id}>${TEXT}</p></div>`;
const quote = (id: string, times = 1) => `<blockquote>${`<p id=${id}>${TEXT}</p>`.repeat(times)}</blockquote>`;

testRule(repeats, [
  [
    'the same paragraph for other screens goes each time',
    `<p id=a>${TEXT}</p>${copy('b', 'wide')}<p id=c>other</p>${copy('d', 'narrow')}`,
    'a c',
  ],
  [
    'the same paragraph in the same place is a refrain',
    `<p id=a>${TEXT}</p><p id=b>${TEXT}</p><p id=c>other</p><p id=d>${TEXT}</p>`,
    'a b c d',
  ],
  [
    'the same line in other verses is a refrain',
    `<div>${verse('a')}${verse('b')}</div><section>${verse('c')}</section>`,
    'a b c',
  ],
  [
    'the same sentence under another heading is content',
    `<h2>Open</h2><div class=a><p id=a>${TEXT}</p></div><h2>Close</h2><div class=b><p id=b>${TEXT}</p></div>`,
    'a b',
  ],
  [
    'the same sentence under the same heading is a repeat',
    `<h2>Open</h2><div class=a><p id=a>${TEXT}</p></div><h2>Open</h2><div class=b><p id=b>${TEXT}</p></div>`,
    'a',
  ],
  [
    'the same sentence in another structure is a repeat',
    `<h2>Open</h2><div class=a><p id=a>${TEXT}</p></div><h2>Close</h2>All gates.<div class=b><ul><li id=b>${TEXT}</ul></div>`,
    'a',
  ],
  ...[
    ['row odd', 'row even'],
    ['row-1', 'row-2'],
    ['row first', 'row last'],
    ['row', 'row alt'],
  ].map(
    ([one = '', other = '']): Row => [
      `striped rows are the same place: ${one}, ${other}`,
      `${copy('a', `"${one}"`)}<p>x</p>${copy('b', `"${other}"`)}`,
      'a b',
    ],
  ),
  ['a quote is a repeat of the same quote elsewhere', quote('a') + quote('b'), 'a'],
  ['a refrain within a quote stays', quote('a', 2), 'a a'],
  [
    'a link to another page is a repeat wherever it is',
    `<p id=a><a href=x>${TEXT}</a></p><p>other</p><p id=b><a href=x>${TEXT}</a></p>`,
    'a',
  ],
  [
    'a quote repeats a paragraph',
    `<div><p id=a>${TEXT}</p></div><section><blockquote id=b>${TEXT}</blockquote></section>`,
    'a',
  ],
  ['an item repeats a heading', `<h2 id=a>${TEXT}</h2><ul><li id=b>${TEXT}</li></ul>`, 'a'],
  ['white space and markup make no difference', `<p id=a>${TEXT}</p><div id=b>\n <b>${TEXT}</b> </div>`, 'a'],
  ['text that differs in one character is no repeat', `<p id=a>${TEXT}</p><div id=b>${TEXT}!</div>`, 'a b'],
  ...[39, 40].map(
    (characters): Row => [
      `text of ${characters} characters ${characters < 40 ? 'may' : 'may not'} be repeated`,
      `<p id=a>${prose('A', characters)}</p><p id=b>another text</p><div id=c>${prose('A', characters)}</div>`,
      characters < 40 ? 'a b c' : 'a b',
    ],
  ),
  [
    'a heading of any length may be repeated',
    `<h2 id=a>${TEXT}</h2><p id=b>another text</p><h2 id=c>${TEXT}</h2>`,
    'a b c',
  ],
  ['a heading may not be repeated twice in a row', `<h1 id=a>${TEXT}</h1><div><h2 id=b>${TEXT}</h2></div>`, 'a'],
  [
    'short text may not be repeated twice in a row',
    '<p id=a>Toll gates</p><div id=b>Toll gates</div><h2 id=c>Toll gates</h2>',
    'a',
  ],
  ['text of 7 characters may be repeated twice in a row', '<p id=a>1234567</p><div id=b>1234567</div>', 'a b'],
  ['text of 8 characters may not be repeated twice in a row', '<p id=a>12345678</p><div id=b>12345678</div>', 'a'],
  [
    'text between two equal texts separates them',
    '<h3 id=a>Parameters</h3><table><td>x</table><h3 id=b>Parameters</h3><pre>y</pre><h3 id=c>Parameters',
    'a b c',
  ],
  [
    'text may be repeated in a table',
    `<table><tr><td id=a>${TEXT}<td id=b>${TEXT}<tr><td id=c><p id=d>${TEXT}</table>`,
    'a b c d',
  ],
  ['text may be repeated in code', `<pre id=a>${TEXT}</pre><pre id=b>${TEXT}</pre>`, 'a b'],
  [
    'text may be repeated after code and tables',
    `<pre id=a>${TEXT}</pre><table><td id=b>${TEXT}</table><p id=c>${TEXT}</p>`,
    'a b c',
  ],
  [
    'text without a block of its own is not compared',
    `<p id=a>${TEXT}</p><div id=b><span id=c>${TEXT}</span><p id=d>x</p></div>`,
    'a b c d',
  ],
  [
    'the blocks of an element are compared, not the element itself',
    `<div id=a><p id=b>${TEXT}</p></div><div id=c>${TEXT}</div><div id=d><p id=e>${TEXT}</p></div>`,
    'a b d e',
  ],
  [
    'dropped text is neither compared nor remembered',
    `<div gone id=a><p>${TEXT}</p></div><div id=b>${TEXT}</div>`,
    'b',
  ],
  [
    'text outside the content does not count',
    `<p id=a>${TEXT}</p><div id=b><p id=c>${TEXT}</p><div id=d>${TEXT}</div></div><p id=e>${TEXT}</p>`,
    'a b c e',
    { root: 'b' },
  ],
]);

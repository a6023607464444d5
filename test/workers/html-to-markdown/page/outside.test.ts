import { outside } from '../../../../workers/html-to-markdown/page/outside.ts';
import { prose, type Row, testRule } from './pages.ts';

const core = (inside = '') => `<div id=core class=text><p>${prose('P', 3000)}</p>${inside}</div>`;
/** A part after the core. */
const after = (inside: string, tag = 'div') => `<div>${core()}<${tag} id=it>${inside}</${tag.split(' ')[0]}></div>`;
const before = (parts: string) => `<div>${parts}${core()}</div>`;
/** A block with a sign of a frame. */
const block = (inside: string) => `<div id=block><p id=date>Name: <input>${inside}</div>`;
const teasers = (items: number, { href = '/a', rest = '' } = {}) =>
  after(`<p><a href=${href}>Roads</a> lead to the sea and back.</p>`.repeat(items) + rest);
const OFFER = 'Pass all gates. <p><a class=btn href=/join>Join</a></p>';
const WRITER = 'Ada Keeper lives at the gate.';

const KEPT: readonly (readonly [what: string, inside: string])[] = [
  ['a table', '<table><tr><td>1<td>2</table>'],
  ['a table with links', '<table><tr><td><a href=x>1</a><td><a href=x>2</a></table>'],
  ['code with links', '<a href=x>open</a><pre>open()</pre>'],
  ['a list of data', '<ul><li>12 keys<li>3 gates</ul>'],
  ['a price', '12.50 €'],
  ['the second half of an article', `<p>${prose('Q', 400)}</p>`],
  ['a section with a heading', '<h2>Prices</h2><p>A cart pays two coins.</p>'],
  ['a button with text', 'Lift the gate. <button>Save</button>'],
  ['footnotes', '<ol><li id=f>The first keeper. <a href="#r">↩</a><li>The last one. <a href="#s">↩</a></ol>'],
  ['expected questions', '<h3>Who pays?</h3><p>All.</p><h3>Who opens?</h3><p>The keeper.</p>'],
  ['text with fewer links', '<a href=x>Roads</a> bridge'],
  ['a heading with fewer links', `<h3><a href=x>Roads</a> bridge</h3><p>${prose('Q', 200)}</p>`],
  ['a figure without text', '<figure><img src=a></figure>'],
  ['a video', '<video src=a></video>'],
];
const GONE: readonly (readonly [what: string, inside: string])[] = [
  ['links', '<a href=x>Roads</a> and <a href=y>bridges</a>'],
  ['half of its text in links', '<a href=x>Roads</a> gates'],
  ['a heading that is half a link', `<h3><a href=x>Roads</a> gates</h3><p>${prose('Q', 200)}</p>`],
  ['links with a heading', '<h2>More</h2><a href=x>Roads</a> <a href=y>Bridges</a>'],
  ['a field', 'Your name <input>'],
  ['a button without text', 'Roads <button></button>'],
  ['a date', '<time>1 May</time> The gate was opened again.'],
  ['an author', '<p class=byline>By the keeper</p>'],
  ['a heading that leads to another page', `<h3><a href=x>Roads</a></h3><p>${prose('Q', 200)}</p>`],
  ['a linked picture', '<a href=x><img src=a></a>'],
];

testRule(outside, [
  ...KEPT.map(
    ([what, inside]): Row => [
      `${what} after the core stays`,
      after(inside),
      `core it${what === 'footnotes' ? ' f' : ''}`,
    ],
  ),
  ...GONE.map(([what, inside]): Row => [`a part after the core with ${what} goes`, after(inside), 'core']),
  ['links in the core stay', core('<div id=it><a href=x>Roads</a></div>'), 'core it'],
  [
    'links around the core at any level go',
    `<section>${after('Data')}</section><div id=b><a href=x>Roads</a></div>`,
    'core it',
  ],
  ['links with the classes of the core stay', after('<a href=x>Roads</a>', 'div class=text'), 'core it'],
  ...(['home', 'list', 'product', 'thread', 'other'] as const).map(
    (kind, at): Row => [
      `links beside the core ${at < 2 ? 'stay on' : 'go from'} a page of the kind ${kind}`,
      after('<a href=x>Roads</a>'),
      at < 2 ? 'core it' : 'core',
      { kind },
    ],
  ),

  ['code before the core stays', before('<div id=it><a href=x>open</a><pre>open()</pre></div>'), 'it core'],
  [
    'a summary before the core that leads to it stays',
    before('<section id=it><h2>Methods</h2><a href="#open">open</a>, <a href="#close">close</a></section>'),
    'it core',
  ],
  ['a title before the core stays', before('<h2 id=it>Gates</h2>'), 'it core'],
  ['a title that is a link goes', before('<h2 id=it><a href=x>Gates</a></h2>'), 'core'],
  ['the title of the page may be a link', before('<h1 id=it><a href=x>Gates</a></h1>'), 'it core'],
  [
    'a heading after the core stays with its part',
    `<div>${core()}<h2 id=it>Gates</h2><div id=part>Two.</div></div>`,
    'core it part',
  ],
  [
    'of a block with the title, each child is judged',
    before(block('<h1 id=title>Gates</h1><p id=lead>All are open.</p><div id=links><a href=x>Roads</a></div>')),
    'block title lead core',
  ],
  ['of a block with a lead too', before(block(`<p id=lead>${prose('L', 200)}</p>`)), 'block lead core'],
  ['a block with less prose goes', before(block(`<p id=lead>${prose('L', 199)}</p>`)), 'core'],
  ['so does a block after the core', `<div>${core()}${block(`<h1>Gates</h1><p>${prose('L', 200)}</p>`)}</div>`, 'core'],

  ['a part that begins with the name of the author goes', after(WRITER), 'core', { byline: 'Ada Keeper' }],
  ['40 characters may be before the name', after(`${'x'.repeat(39)} ${WRITER}`), 'core', { byline: 'Ada Keeper' }],
  ['after more it is another part', after(`${'x'.repeat(40)} ${WRITER}`), 'core it', { byline: 'Ada Keeper' }],
  [
    'a part of 1,000 characters with the name goes',
    after(WRITER + '<b>x</b>'.repeat(971)),
    'core',
    { byline: 'Ada Keeper' },
  ],
  ['a longer one stays', after(WRITER + '<b>x</b>'.repeat(972)), 'core it', { byline: 'Ada Keeper' }],
  ['a part with another name stays', after(WRITER), 'core it', { byline: 'Max Keeper' }],
  ['a part with the name stays on another page', after(WRITER), 'core it', { byline: 'Ada Keeper', kind: 'other' }],

  ['an offer with a button goes', after(OFFER), 'core'],
  ['a button may be named around its link', after('Pass all gates. <p class=btn><a href=/x>Join</a></p>'), 'core'],
  ['an offer with numbers in its sentences goes', after(`${prose('All 12 gates', 60)}${OFFER}`), 'core'],
  ['a part with a date or a price stays', after(`<p>May 4, 12 €</p>${OFFER}`), 'core it'],
  ['an offer on another page stays', after(OFFER), 'core it', { kind: 'product' }],
  ['an offer before the core stays', before(`<div id=it>${OFFER}</div>`), 'it core'],
  ['an offer of 500 characters goes', after(OFFER + '<b>x</b>'.repeat(481)), 'core'],
  ['a longer one is no offer', after(OFFER + '<b>x</b>'.repeat(482)), 'core it'],
  ['a link without the class of a button is no offer', after(OFFER.replace('class=btn', '')), 'core it'],
  ['a button within a sentence is text', after(OFFER.replace('</p>', ' as a keeper of tolls</p>')), 'core it'],
  ['items with buttons are content', after(`<ul><li>${OFFER}</ul>`), 'core it'],
  ...['#form', '/map.pdf', 'https://council.example/', 'mailto:keeper@toll.example'].map(
    (href): Row => [`a button to ${href} does not lead away`, after(OFFER.replace('/join', href)), 'core it'],
  ),

  ['teasers of other pages of the site go', teasers(3), 'core'],
  [
    'so do teasers in a list',
    after(`<ul>${'<li><a href=/a>Roads</a> lead to the sea and back.</li>'.repeat(3)}</ul>`),
    'core',
  ],
  ['teasers of other products go', teasers(3), 'core', { kind: 'product' }],
  ['a page that is no article keeps them', teasers(3), 'core it', { kind: 'other' }],
  ['two are no list', teasers(2), 'core it'],
  ['links to files are no teasers', teasers(3, { href: '/a.pdf' }), 'core it'],
  ['links to another site are none', teasers(3, { href: 'https://council.example/' }), 'core it'],
  ['teasers with half of the text go', teasers(3, { rest: prose('Q', 90) }), 'core'],
  ['teasers beside more text stay', teasers(3, { rest: prose('Q', 91) }), 'core it'],
  ['a teaser may have 300 characters', after(`<p><a href=/a>Roads</a>${'x'.repeat(295)}</p>`.repeat(3)), 'core'],
  ['a longer one is text', after(`<p><a href=/a>Roads</a>${'x'.repeat(296)}</p>`.repeat(3)), 'core it'],
]);

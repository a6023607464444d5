import { asides } from '../../../../workers/html-to-markdown/page/asides.ts';
import { prose, type Row, testRule } from './pages.ts';

const ARTICLE = `<p id=article>${prose('A', 1000)}</p>`;
const LINKS = '<ul id=links><li><a>one</a><li><a>two</a></ul>';
const part = (heading: string, inside = LINKS) => `<div id=part><h2>${heading}</h2>${inside}</div>`;
const under = (headings: readonly string[], left: string, kind: 'other' | 'article' = 'other'): readonly Row[] =>
  headings.map((heading) => [
    `${kind}: a part under "${heading.trim()}" ${left === 'article' ? 'is dropped' : 'stays'}`,
    ARTICLE + part(heading),
    left,
    { kind },
  ]);
const ASIDES = (
  'Related posts|related|You may also like|Customers who bought this also bought|' +
  'Frequently bought together|Similar threads|More from this author|Recommended for you|Keep reading|' +
  'Most popular|Up next|Recently viewed|Follow us|Subscribe to our newsletter|Sign up|About the author|' +
  'Customer reviews (3)|Leave a Reply|Comments|12 comments|Related videos|Suggested products|' +
  '\n More <b>like</b>\n this '
).split('|');
const OTHERS = ['Relatedness', 'Our related work', 'Moreover', 'Commentary', 'Most roads', 'Toll houses', 'Sharing'];
/** Headings of references in a manual. */
const REFERENCES = ['Related commands', 'Related options', 'Similar to grep', 'Suggested reading order'];

testRule(
  asides,
  [
    ...under(ASIDES, 'article'),
    ...under(OTHERS, 'article part links'),
    ...under(REFERENCES, 'article part links'),
    ...under(REFERENCES, 'article', 'article'),
    ...[1, 2, 3, 4, 5, 6].map(
      (rank): Row => [
        `a heading of rank ${rank} is read`,
        `${ARTICLE}<div id=part><h${rank}>Related</h${rank}>${LINKS}</div>`,
        'article',
      ],
    ),
    ['other elements are no headings', `${ARTICLE}<div id=part><p>Related</p>${LINKS}</div>`, 'article part links'],
    ['a heading of 60 characters may be of an aside', ARTICLE + part(`Related posts ${'x'.repeat(46)}`), 'article'],
    ['a longer heading is content', ARTICLE + part(`Related posts ${'x'.repeat(47)}`), 'article part links'],
    ['prose stays', ARTICLE + part('Related', `<p id=prose>${prose('B', 200)}</p>`), 'article part prose'],
    // 7 + 120 + 3 × 91 = 400 characters.
    [
      'a part may have 30 % of prose',
      ARTICLE + part('Related', `<p>${prose('B', 120)}</p>${'<a>abc</a>'.repeat(91)}`),
      'article',
    ],
    [
      'a part with more prose stays',
      ARTICLE + part('Related', `<p>${prose('B', 120)}</p>${'<a>abc</a>'.repeat(90)}`),
      'article part',
    ],
    // With the 7 characters of the heading, 298 of 998 and 301 of 1,001.
    ...[97, 98].map(
      (cards): Row => [
        `a part with at most 30 % of the content of the page is dropped: ${cards} cards`,
        `<p id=article>${prose('A', 700)}</p><div><h2 id=heading>Related</h2><p>${'<i>abc</i>'.repeat(cards)}<input></div>`,
        cards === 97 ? 'article' : 'article heading',
      ],
    ),
    [
      'links are not content, however many there are',
      ARTICLE + part('Related', '<a>one more link</a>'.repeat(200)),
      'article',
    ],
    [
      'the part is the largest element that begins with the heading',
      `${ARTICLE}<div id=outer><div id=part><div id=top><h2>Related</h2></div>${LINKS}</div>${LINKS}</div>`,
      'article',
    ],
    ...[40, 41].map(
      (characters): Row => [
        `${characters} characters before the heading are ${characters === 40 ? 'a part of it' : 'other text'}`,
        `${ARTICLE}<div id=part><b>${'x'.repeat(characters)}</b><h2>Related</h2>${LINKS.repeat(20)}</div>`,
        characters === 40 ? 'article' : 'article part',
      ],
    ),
    [
      'the part of a heading without a container ends at the next heading of its rank',
      `${ARTICLE}<h2>Related</h2><h3 id=minor>Roads</h3>${LINKS}<p id=part>x</p><h2 id=next>Gates</h2><p id=kept>y</p>`,
      'article next kept',
    ],
    [
      'it ends at a heading of higher rank',
      `${ARTICLE}<h3>Related</h3>${LINKS}<h2 id=next>Gates</h2><p id=kept>y</p>`,
      'article next kept',
    ],
    [
      'it ends with the last sibling',
      `<div id=page>${ARTICLE}<h3>Related</h3>${LINKS}</div><p id=kept>y</p>`,
      'page article kept',
    ],
    [
      'prose after such a heading keeps its whole part',
      `${ARTICLE}<h2 id=heading>Related work</h2><p id=prose>${prose('B', 300)}</p>`,
      'article heading prose',
    ],
    ['several parts are dropped', part('Most read') + ARTICLE + part('Related') + part('Follow us'), 'article'],
    [
      'a page that is reviews is kept',
      `<h1 id=heading>Customer reviews</h1><p id=review>${prose('A', 500)}</p>`,
      'heading review',
    ],
    ['a page that is comments is kept', '<h1 id=heading>Comments</h1><p id=comment>x</p>', 'heading comment'],
    ...(['article', 'product', 'thread', 'home', 'list', 'other'] as const).map(
      (kind, at): Row => [
        `headings in other languages are ${at < 3 ? '' : 'not '}known on a page of the kind ${kind}`,
        ARTICLE + part('Ähnliche Artikel'),
        at < 3 ? 'article' : 'article part links',
        { kind },
      ],
    ),
    // 9 + 301 + 4 × 73 = 602 characters.
    ...[
      [300, 0, false],
      [301, 0, true],
      [301, 73, false],
      [301, 72, true],
    ].map(
      ([characters, cells, stays]): Row => [
        `a part under a known heading with ${characters} characters of prose and ${cells} cells ${stays ? 'stays' : 'is dropped'}`,
        `${ARTICLE}<p>${prose('More', 1000)}</p>${part('Leia mais', `<p>${prose('B', Number(characters))}</p>${'<b>cell</b>'.repeat(Number(cells))}`)}`,
        stays ? 'article part' : 'article',
        { kind: 'article' },
      ],
    ),
    [
      'code and tables under a known heading stay',
      ARTICLE + part('Teilen', '<pre id=code>toll share gate</pre>'),
      'article part code',
      { kind: 'article' },
    ],
    [
      'text under a known heading stays if the content goes on',
      `${ARTICLE}${part('Partager', '<p id=text>Un fichier.</p>')}<h2 id=next>Portes</h2>`,
      'article part text next',
      { kind: 'article' },
    ],
  ],
  { kind: 'other' },
);

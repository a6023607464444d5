import { frame } from '../../../../workers/html-to-markdown/page/frame.ts';
import { prose, type Row, testRule } from './pages.ts';

const text = (characters: number) => `<p>${prose('P', characters)}</p>`;
/** Text in a container of its own. What stands beside it is not in the same part of the page. */
const column = (characters: number) => `<div>${text(characters)}</div>`;
const it = (tag: string, inside: string) => `<${tag} id=it>${inside}</${tag.split(' ')[0]}>`;
/** What becomes of an element on a page of which it has a share, for the largest share with which it goes. */
const upTo = (share: number, tag: string): readonly Row[] =>
  [share, share + 1].map((own) => [
    `<${tag}> with ${own} of 1,000 characters ${own > share ? 'is content' : 'goes'}`,
    column(1000 - own) + it(tag, text(own)),
    own > share ? 'it' : '',
  ]);

const FRAME = (
  'nav|footer|aside|header|div role=navigation|div role=search|ul class=breadcrumbs|' +
  'div class=cookie-consent|section class=related-products|div class=review-list|div class=minicart|' +
  'div class=comments'
).split('|');
const CONTENT = 'main|article|div class=page|div class=tabs|form|section|address|div class=signature'.split('|');
const TRUSTED = ['article', 'main', 'h1', 'p', 'pre'];
/** Words of the frame that are also the subjects of short parts. */
const SUBJECTS = 'comment|rating|review|cart|login|signup|share|cookie|banner|related|social'.split('|');
const SIGNS: readonly (readonly [what: string, html: string])[] = [
  ['links', '<a href=x>Roads</a>'],
  ['a field', 'Roads<input>'],
  ['a button without text', 'Roads<button></button>'],
  ['a date', 'Roads<time>May</time>'],
  ['an author', 'Roads<b class=byline>Keeper</b>'],
  ['a heading that is a link', `<h3><a href=x>Roads</a></h3>${text(200)}`],
  ['a known label', `<p>Related posts</p>${text(200)}`],
  ['a known label before few words', '<p>Related posts</p><p>Roads</p>'],
];
const NO_SIGNS: readonly (readonly [what: string, html: string])[] = [
  ['a button with text', 'Roads<button>Save</button>'],
  ['fewer links than text', `<a href=x>Roads</a> lead to the old gate by the sea`],
  ['code', '<a href=x>open</a><pre>open()</pre>'],
  ['a table', '<a href=x>open</a><table><tr><td>1</table>'],
  [
    'a heading with links to types',
    '<h3>fn roads(self, by: P) -&gt; <a href=x>Roads</a>&lt;Self, P&gt;</h3><p>Opens.</p>',
  ],
];
const ALL = 'it '.repeat(10).trim();
const COMMENTS = Array.from({ length: 10 }, (_, at) => it('div class=comment', prose(`C${at}`, 100))).join('');
const HEADER = (tag: string) =>
  `<header id=a>a</header><${tag}><div><header id=b>b</header></div>${prose('P', 1000)}</${tag}>`;
/** Two cards with `share` of a hundred characters. */
const CARDS = (share: number, href = '/a') =>
  `${`<div class=card><img src=a>${'<b>x</b>'.repeat(share / 2 - 4)}<a href=${href}>Road</a></div>`.repeat(2)}${'<b>y</b>'.repeat(100 - share)}`;
const CART = it('div class=cart', 'Roads');
const ARTICLE = `<article>${text(500)}</article>`;
const SECTION = (attributes = '') => `<div ${attributes}><h2>Gates</h2>${text(1000)}</div>`;
const main = (characters: number) => `<main>${prose('P', characters)}</main>`;
const FOOTER = it('div class=footer', text(19000));
const POSTS = it('div class=comments', text(3000));
const heading = (beside: string) => `<main><h2 class=share id=it>Share</h2>${beside}${prose('P', 1000)}</main>`;
const field = (characters: number) => `<label>${'x'.repeat(60)}<b>${'x'.repeat(characters - 60)}</b></label><input>`;

testRule(
  frame,
  [
    ...FRAME.map(
      (tag): Row => [`<${tag}> beside the column of the text goes`, column(1000) + it(tag, '<p>b</p>') + column(9), ''],
    ),
    ...CONTENT.map((tag): Row => [`<${tag}> stays`, column(1000) + it(tag, 'a'), 'it']),
    ...TRUSTED.map(
      (tag): Row => [
        `<${tag}> has content whatever its class is`,
        column(1000) + it(`${tag} class="share related sidebar comments"`, '<a href=x>a</a>'),
        'it',
      ],
    ),
    [
      'a table and its cells have content whatever their classes are',
      `${column(1000)}<table class=nav id=a><tbody class=nav><tr class=nav><td class=nav id=b><a>x</a></table>`,
      'a b',
    ],

    // In the same part of the page as the text.
    ...SUBJECTS.flatMap((word): readonly Row[] => [
      [
        `<div class=${word}> in the main element stays`,
        `<main>${text(1000)}${it(`div class=${word}`, 'Roads')}</main>`,
        'it',
      ],
      [`<div class=${word}> beside text stays`, text(1000) + it(`div class=${word}`, 'Roads'), 'it'],
    ]),
    ...SIGNS.map(
      ([what, inside]): Row => [
        `<div class=cart> with ${what} goes`,
        `<main>${text(1000)}${it('div class=cart', inside)}</main>`,
        '',
      ],
    ),
    ...NO_SIGNS.map(
      ([what, inside]): Row => [
        `<div class=cart> with ${what} stays`,
        `<main>${text(1000)}${it('div class=cart', inside)}</main>`,
        'it',
      ],
    ),
    ...['javax.security.auth.login', 'gate.Cookie.filter', 'http.cookies', 'login', 'site-footer', 'comments'].map(
      (id): Row => [
        `links in the part with the id ${id} ${id.includes('.') ? 'stay' : 'go'}`,
        `<main>${text(1000)}<section id=${id}><a href=x>Roads</a></section></main>`,
        id.includes('.') ? id : '',
      ],
    ),
    // Which part of the page that is.
    ['a part in a column of the main element stays', `<main>${column(1000)}${CART}</main>`, 'it'],
    ['the role of a main element counts', `<div role=main>${column(1000)}${CART}</div>`, 'it'],
    ['a part in the only article stays', `<article>${column(1000)}${CART}</article>`, 'it'],
    ['a part beside the only article goes', `<main><article>${column(1000)}</article>${CART}</main>`, ''],
    ['a part beside several articles stays', `<main>${ARTICLE}${ARTICLE}${CART}</main>`, 'it'],
    ['a part beside a small article stays', `<main>${column(660)}<article>${text(340)}</article>${CART}</main>`, 'it'],
    [
      'a part beside a dropped article stays',
      `<main>${column(990)}<article gone>${text(600)}</article>${CART}</main>`,
      'it',
    ],
    [
      'a short part in one of two main elements stays',
      `<main>${column(990)}${CART}</main><main>${column(990)}</main>`,
      'it',
    ],
    ['a part in a small main element goes', `${column(900)}<main>${column(100)}${CART}</main>`, ''],
    [
      'a part beside parts with headings of its rank stays',
      SECTION() + it('div class=cart', '<h2>Cart</h2>Two coins.'),
      'it',
    ],
    ['a part beside parts with other headings goes', SECTION() + it('div class=cart', '<h3>Cart</h3>Two coins.'), ''],
    [
      'a part beside other parts of the frame goes',
      SECTION('class=menu') + it('div class=cart', '<h2>Cart</h2>Two coins.'),
      '',
    ],
    ['a part beside links goes', `${column(1000)}<p>a <a href=x>b</a></p>${CART}`, ''],

    // A word of the class is believed sooner than an id or a tag.
    ...[
      ['div class=cart', 20, ''],
      ['div class=cart', 21, 'it'],
      ['div class=cart', 20, 'it', '<h2>Cart</h2>'],
      ['aside', 20, 'it'],
      ['aside class=cart', 20, ''],
    ].map(
      ([tag, characters, left, inside = '']): Row => [
        `<${tag}> with 3 of ${characters} characters in links ${left === '' ? 'goes' : 'stays'}${inside === '' ? '' : ' under a heading'}`,
        `<main>${text(1000)}${it(String(tag), `${inside}<p><a href=x>tar</a></p>${'x'.repeat(Number(characters) - 3)}`)}</main>`,
        String(left),
      ],
    ),
    [
      'its links may be words of a sentence',
      `<main>${text(1000)}${it('div class=cart', 'See <a href=x>tar</a> too.')}</main>`,
      'it',
    ],
    [
      'an id is believed less than a class',
      `<main>${text(1000)}<div id=cart><a href=x>tar</a> and hemp</div></main>`,
      'cart',
    ],
    [
      'the source of a quote stays',
      `<main>${text(1000)}<blockquote>${it('footer', '<a href=x>Keeper</a>')}</blockquote></main>`,
      'it',
    ],
    ['<nav> beside text goes', text(1000) + it('nav', 'Roads'), ''],
    ['<div role=search> beside text goes', text(1000) + it('div role=search', 'Roads'), ''],
    ['a footer beside text goes', text(1000) + it('footer', 'Roads'), ''],
    ['a footer in the main element stays', `<main>${text(1000)}${it('footer', 'Roads')}</main>`, 'it'],
    ['a footer with a heading goes', `<main>${text(1000)}${it('footer', '<h2>Roads</h2><p>b</p>')}</main>`, ''],
    [
      'reviews beside each other go',
      `<main>${text(1000)}${it('div class=review', 'Good.')}${it('div class=review', 'Bad.')}</main>`,
      '',
    ],
    [
      'a part with several comments goes',
      `<main>${text(1000)}${it('div class=comments', '<p class=comment>Good.</p><p class=comment>Bad.</p>')}</main>`,
      '',
    ],
    ['cards of other pages go', `<main>${text(1000)}${it('div class=related', CARDS(60))}</main>`, ''],
    ...(['home', 'list'] as const).map(
      (kind): Row => [
        `cards are the content of a page of the kind ${kind}`,
        `<main>${text(1000)}${it('div class=related', CARDS(60))}</main>`,
        'it',
        { kind },
      ],
    ),
    ['cards with less of the text stay', `<main>${text(1000)}${it('div class=related', CARDS(59))}</main>`, 'it'],
    ['cards of things stay', `<main>${text(1000)}${it('div class=related', CARDS(60, '/a.pdf'))}</main>`, 'it'],
    ['other parts with cards stay', `<main>${text(1000)}${it('div class=roads', CARDS(60))}</main>`, 'it'],
    ['a part hidden by its class goes', `<main>${text(1000)}${it('div class=hidden', 'Roads')}</main>`, ''],
    ...['b', 'a'].map(
      (tag): Row => [
        `<${tag} class=login> in a sentence stays`,
        `<main>${text(1000)}<p>First ${it(`${tag} class=login href=x`, 'log in')} at the gate.</p></main>`,
        'it',
      ],
    ),

    ...['div role=search', 'div role=navigation', 'div class=related', 'div class=comments', 'header'].flatMap((tag) =>
      upTo(400, tag),
    ),
    ...['nav', 'footer'].flatMap((tag) => upTo(900, tag)),
    [
      'links are not content, however many there are',
      column(500) + it('div class=related', '<a>a link of some thirty characters</a> '.repeat(100)),
      '',
    ],
    ['a page that only has its frame keeps it', it('nav', 'roads'), 'it'],
    ['the same by a class', it('div class=footer', 'roads'), 'it'],

    // Columns of the layout.
    ...['sidebar', 'filters', 'modal', 'banner', 'menu', 'form'].flatMap((name): readonly Row[] => [
      [
        `a part called ${name} stays if half of it is prose`,
        column(1000) + it(`div class=${name}`, text(150) + '<b>x</b>'.repeat(150)),
        'it',
      ],
      [
        `a part called ${name} goes with less prose`,
        column(1000) + it(`div class=${name}`, text(150) + '<b>x</b>'.repeat(151)),
        '',
      ],
    ]),
    ['a part that is certainly frame goes even with prose', column(1000) + it('div class=newsletter', text(300)), ''],
    ['so does one with a word of a layout too', column(1000) + it('div class="sidebar related"', text(300)), ''],
    ['a form with a field for every 60 characters goes', column(1000) + it('form', field(120)), ''],
    ['a form with more text stays', column(1000) + it('form', field(121)), 'it'],
    ['a field is visible', column(1000) + it('form', `<input type=email>${'x'.repeat(60)}`), ''],
    [
      'a hidden field does not count as a field',
      column(1000) + it('form', `<input type=hidden>${'x'.repeat(60)}`),
      'it',
    ],
    ['a form with prose stays', column(1000) + it('form', `${'<label>x</label>'.repeat(20)}${text(100)}`), 'it'],

    ['the header of the main element stays, and that of the page goes', HEADER('main'), 'b'],
    ['the header of an article stays', HEADER('article'), 'b'],
    ['a header in another element goes', HEADER('div'), ''],

    ['comments that together are most of a page stay', column(1000) + COMMENTS, ALL],
    ['comments that are less go', column(1501) + COMMENTS, ''],
    [
      'nested comments count once',
      column(1000) + it('div class=comments', `<div class=comment>${text(300)}</div>`),
      '',
    ],
    [
      'comments below 1,999 characters of text are the subject',
      column(1999) + it('div class=comments', text(9000)),
      'it',
    ],
    ['comments below an article go, however many there are', column(2000) + it('div class=comments', text(9000)), ''],

    ['a footer after a main element goes, however large it is', main(1500) + FOOTER, ''],
    ['a footer before it goes too', FOOTER + main(1500), ''],
    ['a footer that is larger than a short main element stays', main(1499) + FOOTER, 'it'],
    ['a footer that is most of the main element stays', `<main>${prose('P', 1500)}${FOOTER}</main>`, 'it'],

    ...[
      ['card cart-button', 41, ALL],
      ['card cart-button', 40, ''],
      ['review', 60, ''],
      ['card hidden', 60, ''],
    ].map(
      ([name, own, left]): Row => [
        `ten parts <div class="${name}"> of ${own} characters ${left === '' ? 'go' : 'are the content of a list'}`,
        column(1000 - 10 * Number(own)) + it(`div class="${name}"`, prose('A', Number(own))).repeat(10),
        String(left),
      ],
    ),
    ['what a class hides goes', column(1000) + it('div class="price d-none"', 'a'), ''],
    ['a hidden tab stays', column(1000) + it('div class="tab-pane hidden"', 'a'), 'it'],
    ['what is hidden on some screens stays', column(1000) + it('div class="hidden md:block"', 'a'), 'it'],
    [
      'a part with a class of navigation stays with prose',
      column(1000) + it('div class=content-nav-section', text(300)),
      'it',
    ],
    [
      'it goes with little prose',
      column(1000) + it('div class=content-nav-section', text(100) + '<b>Road</b>'.repeat(26)),
      '',
    ],
    ['a navigation element goes with prose', column(1000) + it('nav', text(300)), ''],

    [
      'prose of the frame is not prose of a thread',
      `${it('div class=comments', text(300))}<div class=cookie-consent>${text(1000)}</div>`,
      'it',
      { kind: 'thread' },
    ],
    ['comments with half of the prose of a thread are its posts', column(2999) + POSTS, 'it', { kind: 'thread' }],
    ['comments with less are none', column(3000) + POSTS, '', { kind: 'thread' }],
    [
      'a small share of the content can be most of the prose',
      '<b>keeper</b>'.repeat(1500) + POSTS,
      'it',
      { kind: 'thread' },
    ],

    ['a heading with text beside it stays', heading('<p>Sends a copy to the others.</p>'), 'it'],
    ['a heading with links beside it goes', heading('<p><a>a</a><a>b</a></p>'), ''],
  ],
  { kind: 'other' },
);

import { details } from '../../../../workers/html-to-markdown/page/details.ts';
import { prose, type Row, testRule } from './pages.ts';

const text = (part: string, characters = 9000) => `<p>${prose('P', characters)}</p>${part}`;
const of = (name: string, characters: number) => `<div id=it class=${name}>${prose('A', characters)}</div>`;
const link = (inside: string, href = 'x') => `<a href=${href}>${inside}</a>`;
const line = (inside: string, tag = 'div') => text(`<${tag} id=it>${inside}</${tag}>`);
const stats = (letters: number) => text(`<div id=it class=stats>${'<b>x</b>'.repeat(letters)}</div>`);

testRule(details, [
  ...['author-box', 'entryTags', 'social_buttons', 'photo-credit', 'post__byline'].flatMap((name): readonly Row[] => [
    [`an article is written without its ${name}`, text(`<div id=it class=${name}>x</div>`), ''],
    [`another page keeps its ${name}`, text(`<div id=it class=${name}>x</div>`), 'it', { kind: 'other' }],
  ]),
  ['a life of the author goes', text(of('author', 1500)), ''],
  ['a longer part about the author stays', text(of('author', 1501)), 'it'],
  ['a detail of a fifth of the text goes', text(of('author', 200), 800), ''],
  ['a larger part is text', text(of('author', 201), 800), 'it'],
  ...['p', 'h2', 'article', 'a', 'pre', 'table'].map(
    (tag): Row => [
      `<${tag}> holds text of an article whatever its class is`,
      text(`<${tag} id=it class=author><tr><td>x</${tag}>`),
      'it',
    ],
  ),
  ['a section named as the author goes', text('<section id=it class=author>x</section>'), ''],
  ['a section with another name stays', text('<section id=it class=links>x</section>'), 'it'],
  ['a short offer in an article goes', text(of('post-cta', 500)), ''],
  ['a longer one stays', text(of('post-cta', 501)), 'it'],
  ['an offer of a product page stays', text(of('post-cta', 500)), 'it', { kind: 'product' }],

  ['a line that is a link goes', line(link('<span>A road with a long name</span>')), ''],
  ['a line with 85 % of its text in links goes', line(`abc${link('x'.repeat(17))}`), ''],
  ['a line with less stays', line(`abc${link('x'.repeat(16))}`), 'it'],
  ['a line of a thread stays', line(link('A road')), 'it', { kind: 'thread' }],
  ['a linked heading stays', line(link('<h2>A road</h2>')), 'it'],
  ['a linked picture stays', line(link('<img src=x alt=x>A road')), 'it'],
  ['a paragraph that is a link of 20 characters goes', line(link('x'.repeat(20)), 'p'), ''],
  ['a longer one is a reference', line(link('x'.repeat(21)), 'p'), 'it'],
  ['an item that is a link stays', text(`<ul><li id=it>${link('A road')}</ul>`), 'it'],
  ['a line that links to a file is a source', line(link('Report', '/report.pdf')), 'it'],
  [
    'a line with a long link to another site is one',
    line(link('Report of the council', 'https://council.example/')),
    'it',
  ],
  ['a short link to another site is no source', line(link('Read more of it here', 'https://council.example/')), ''],
  ['a long link to the same site is no source', line(link('Report of the council', 'https://www.toll.example/r')), ''],
  [
    'a paid link is no source',
    line('<a rel="nofollow sponsored" href=https://shop.example/>Buy the same lamp here</a>'),
    '',
  ],
  [
    'a line inside a link to another site stays',
    text(`${link('<div id=it>A road</div>', 'https://council.example/')}`),
    'it',
  ],
  ['a line inside a link to the same site goes', text(`${link('<div id=it>A road</div>')}`), ''],

  ...['user-stats', 'message-signature', 'post_actions', 'voteButtons votes'].map(
    (name): Row => [
      `a post is written without its ${name}`,
      text(`<div id=it class="${name}">x</div>`),
      '',
      { kind: 'thread' },
    ],
  ),
  ['an article keeps the details of posts', text('<div id=it class=user-stats>x</div>'), 'it'],
  ...[
    ['what is named as the text of a post', text('<div id=it class="post-body js-edit">x</div>')],
    ['prose', text(of('stats', 100))],
    ['long text', stats(301)],
    ['a heading', text('<h3 id=it class=title>x</h3>')],
    ['the author of a post', text('<div id=it class=post-author>x</div>')],
    ['its date', text('<div id=it class=post-date>x</div>')],
  ].map(([what, html = '']): Row => [`${what} is no detail`, html, 'it', { kind: 'thread' }]),
  ['a detail of 300 characters goes', stats(300), '', { kind: 'thread' }],
]);

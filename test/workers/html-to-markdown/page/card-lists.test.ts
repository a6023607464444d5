import { cardLists } from '../../../../workers/html-to-markdown/page/card-lists.ts';
import { prose, type Row, testRule } from './pages.ts';

const text = (characters: number) => `<p>${prose('P', characters)}</p>`;
const card = (mark: string, link = 'href=x') =>
  `<div class="card first">${mark}<a ${link}>A story of another gate</a></div>`;
const PICTURED = card('<img src=a>');
const list = (...cards: readonly string[]) => `<section id=it>${cards.join('')}</section>`;
const CARDS = list(PICTURED, PICTURED);
const linked = (characters: number) =>
  `<div><img src=a><a href=x>${'x'.repeat(characters)}</a>${'y'.repeat(20 - characters)}</div>`;
const short = (characters: number) => `<div><img src=a><a href=x>${'x'.repeat(characters)}</a></div>`;
const half = (characters: number) => list(text(characters), short(50), short(50));
const LONG = list(...Array.from({ length: 70 }, () => PICTURED));

testRule(cardLists, [
  ...['<img src=a>', '<time>May</time>', '<h3>Roads</h3>'].map(
    (mark): Row => [`links to other stories with ${mark} go`, text(1000) + list(card(mark), card(mark)), ''],
  ),
  ...[
    ['to a file', 'href=/map.pdf', 'it'],
    ['to another site', 'href=https://council.example/r', 'it'],
    ['to another site that pays', 'rel=sponsored href=https://shop.example/r', ''],
    ['to another host of the site', 'href=https://www.toll.example/r', ''],
  ].map(
    ([what = '', link, left = '']): Row => [
      `things with a picture and a link ${what} ${left === '' ? 'go' : 'stay'}`,
      text(1000) + list(card('<img src=a>', link), card('<img src=a>', link)),
      left,
    ],
  ),
  ['plain links are references', text(1000) + list(card(''), card('')), 'it'],
  ['one card is no list', text(1000) + list(PICTURED), 'it'],
  ['cards have the same first class', text(1000) + list(PICTURED, PICTURED.replace('card', 'photo')), 'it'],
  ['cards have the same tag', text(1000) + list(PICTURED, PICTURED.replaceAll('div', 'p')), 'it'],
  ['cards may differ in other classes', text(1000) + list(PICTURED, PICTURED.replace('first', 'last')), ''],
  ['a list with 40 % of its text in links goes', text(1000) + list(linked(8), linked(8)), ''],
  ['a list with less stays', text(1000) + list(linked(8), linked(7)), 'it'],
  ['a list with half of its text in prose goes', text(1000) + half(100), ''],
  ['a list with more prose is the content', text(1000) + half(101), 'it'],
  ['a list of 21 characters goes', text(1000) + list(short(10), short(11)), ''],
  ['a shorter one stays', text(1000) + list(short(10), short(10)), 'it'],
  ['a dropped card does not count', text(1000) + list(PICTURED, PICTURED.replace('<div', '<div gone')), 'it'],
  ['a list with most of the text is the content', text(1000) + LONG, 'it'],
  ['a long list beside more text goes', text(1200) + LONG, ''],
  ['an article with little text of its own keeps its lists', text(999) + CARDS, 'it'],
  ['a product page with some text of its own loses them', text(300) + CARDS, '', { kind: 'product' }],
  ['a product page with less keeps them', text(299) + CARDS, 'it', { kind: 'product' }],
  ...(['list', 'home', 'other', 'thread'] as const).map(
    (kind): Row => [`a page of the kind ${kind} keeps its lists`, text(1000) + CARDS, 'it', { kind }],
  ),
]);

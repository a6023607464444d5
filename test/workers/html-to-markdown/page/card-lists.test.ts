import test from 'ava';
import type { PageKind } from '../../../../workers/html-to-markdown/metadata/page-kind.ts';
import { dropCardLists } from '../../../../workers/html-to-markdown/page/card-lists.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

/** Whether a list remains in an article. */
function isLeft(list: string, { kind = 'article', characters = 1000 }: { kind?: PageKind; characters?: number } = {}) {
  const survey = Survey.of(bodyOf(`<p>${prose('P', characters)}</p>${list}`));
  dropCardLists(survey, 0, kind);
  return survey.elements.some((node, index) => node.getAttribute('id') === 'it' && survey.dropped[index] === 0);
}

const card = (mark: string) => `<div class="card first">${mark}<a href=x>A story of another gate</a></div>`;
const list = (...cards: readonly string[]) => `<section id=it>${cards.join('')}</section>`;

for (const mark of ['<img src=a>', '<time>May</time>', '<h3>Roads</h3>']) {
  test(`a list of links to other stories with ${mark} is dropped`, (t) => {
    t.false(isLeft(list(card(mark), card(mark))));
  });
}

test('plain links are references, and one card is no list', (t) => {
  t.true(isLeft(list(card(''), card(''))));
  t.true(isLeft(list(card('<img src=a>'))));
});

test('cards have the same tag and the same first class', (t) => {
  const pictured = card('<img src=a>');
  t.true(isLeft(list(pictured, pictured.replace('card', 'photo'))));
  t.true(isLeft(list(pictured, pictured.replaceAll('div', 'p'))));
  t.false(isLeft(list(pictured, pictured.replace('first', 'last'))));
});

test('a list has at least 40 % of its text in links', (t) => {
  const of = (linked: number) => `<div><img src=a><a href=x>${'x'.repeat(linked)}</a>${'y'.repeat(20 - linked)}</div>`;
  t.false(isLeft(list(of(8), of(8))));
  t.true(isLeft(list(of(8), of(7))));
});

test('a list with prose, or with most of the text, is the content', (t) => {
  const summary = `<p>${prose('A', 200)}</p>`;
  t.true(isLeft(list(card(`<img src=a>${summary}`), card('<img src=a>'))));
  const half = list(...Array.from({ length: 70 }, () => card('<img src=a>')));
  t.true(isLeft(half));
  t.false(isLeft(half, { characters: 1200 }));
});

test('lists are dropped from articles and product pages with text of their own', (t) => {
  const cards = list(card('<img src=a>'), card('<img src=a>'));
  t.true(isLeft(cards, { characters: 999 }));
  t.false(isLeft(cards, { kind: 'product', characters: 300 }));
  t.true(isLeft(cards, { kind: 'product', characters: 299 }));
  for (const kind of ['list', 'home', 'other', 'thread'] as const) t.true(isLeft(cards, { kind }), kind);
});

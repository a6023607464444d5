import test from 'ava';
import type { PageKind } from '../../../../workers/html-to-markdown/metadata/page-kind.ts';
import { dropAsides } from '../../../../workers/html-to-markdown/page/asides.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

const ARTICLE = `<p id=article>${prose('A', 1000)}</p>`;
const LINKS = '<ul id=links><li><a>one</a><li><a>two</a></ul>';

/** The ids of the elements that remain when parts about other subjects are dropped. */
function left(html: string, kind: PageKind = 'other'): readonly string[] {
  const survey = Survey.of(bodyOf(html));
  dropAsides(survey, kind);
  return survey.elements
    .filter((_, index) => survey.dropped[index] === 0)
    .flatMap((node) => node.getAttribute('id') ?? []);
}

for (const heading of [
  'Related posts',
  'related',
  'You may also like',
  'Customers who bought this also bought',
  'Frequently bought together',
  'Similar threads',
  'More from this author',
  'Recommended for you',
  'Keep reading',
  'Most popular',
  'Up next',
  'Recently viewed',
  'Follow us',
  'Subscribe to our newsletter',
  'Sign up',
  'About the author',
  'Customer reviews (3)',
  'Leave a Reply',
  'Comments',
  '12 comments',
  '\n More <b>like</b>\n this ',
]) {
  test(`a part under "${heading.trim()}" is dropped with its heading`, (t) => {
    t.deepEqual(left(`${ARTICLE}<div id=part><h2>${heading}</h2>${LINKS}</div>`), ['article']);
  });
}

for (const heading of [
  'Relatedness',
  'Our related work',
  'Moreover',
  'Commentary',
  'Most roads',
  'Toll houses',
  'Sharing',
]) {
  test(`a part under "${heading}" stays`, (t) => {
    t.deepEqual(left(`${ARTICLE}<div id=part><h2>${heading}</h2>${LINKS}</div>`), ['article', 'part', 'links']);
  });
}

test('references of a manual stay, and lists of what a site shows more of are dropped', (t) => {
  const part = (heading: string) => `${ARTICLE}<div id=part><h2>${heading}</h2>${LINKS}</div>`;
  for (const heading of ['Related commands', 'Related options', 'Similar to grep', 'Suggested reading order']) {
    t.deepEqual(left(part(heading)), ['article', 'part', 'links'], heading);
    t.deepEqual(left(part(heading), 'article'), ['article'], heading);
  }
  for (const heading of ['Related', 'Related videos', 'Suggested products', 'Related expert articles']) {
    t.deepEqual(left(part(heading)), ['article'], heading);
  }
});

test('headings of any rank are read, and other elements are not', (t) => {
  for (const rank of [1, 2, 3, 4, 5, 6]) {
    t.deepEqual(left(`${ARTICLE}<div id=part><h${rank}>Related</h${rank}>${LINKS}</div>`), ['article']);
  }
  t.deepEqual(left(`${ARTICLE}<div id=part><p>Related</p>${LINKS}</div>`), ['article', 'part', 'links']);
});

test('a heading of more than 60 characters is content', (t) => {
  const part = (characters: number) =>
    `<div id=part><h2>Related posts ${'x'.repeat(characters - 14)}</h2>${LINKS}</div>`;
  t.deepEqual(left(ARTICLE + part(60)), ['article']);
  t.deepEqual(left(ARTICLE + part(61)), ['article', 'part', 'links']);
});

test('prose under such a heading stays', (t) => {
  t.deepEqual(left(`${ARTICLE}<div id=part><h2>Related</h2><p id=prose>${prose('B', 200)}</p></div>`), [
    'article',
    'part',
    'prose',
  ]);
});

test('a part with at most 30 % prose is dropped', (t) => {
  const part = (other: number) =>
    `<div id=part><h2>Related</h2><p>${prose('B', 120)}</p>${'<a>abc</a>'.repeat(other)}</div>`;
  // 7 + 120 + 3 × 91 = 400 characters.
  t.deepEqual(left(ARTICLE + part(91)), ['article']);
  t.deepEqual(left(ARTICLE + part(90)), ['article', 'part']);
});

test('a part with more than 30 % of the content of the page stays', (t) => {
  const part = (cards: number) =>
    `<p id=article>${prose('A', 700)}</p><div><h2 id=heading>Related</h2><p>${'<i>abc</i>'.repeat(cards)}<input></div>`;
  // With the 7 characters of the heading, 298 of 998 and 301 of 1,001.
  t.deepEqual(left(part(97)), ['article']);
  t.deepEqual(left(part(98)), ['article', 'heading']);
});

test('links are not content, however many there are', (t) => {
  t.deepEqual(left(`${ARTICLE}<div id=part><h2>Related</h2>${'<a>one more link</a>'.repeat(200)}</div>`), ['article']);
});

test('the part is the largest element that begins with the heading', (t) => {
  const part = `<div id=outer><div id=part><div id=top><h2>Related</h2></div>${LINKS}</div>${LINKS}</div>`;
  t.deepEqual(left(ARTICLE + part), ['article']);
});

test('a few words may come before the heading', (t) => {
  const part = (characters: number) =>
    `<div id=part><b>${'x'.repeat(characters)}</b><h2>Related</h2>${LINKS.repeat(20)}</div>`;
  t.deepEqual(left(ARTICLE + part(40)), ['article']);
  t.deepEqual(left(ARTICLE + part(41)), ['article', 'part']);
});

test('the part of a heading without a container ends at the next heading of its rank', (t) => {
  const page = `${ARTICLE}<h2>Related</h2><h3 id=minor>Roads</h3>${LINKS}<p id=part>x</p><h2 id=next>Gates</h2><p id=kept>y</p>`;
  t.deepEqual(left(page), ['article', 'next', 'kept']);
});

test('the part ends at a heading of higher rank, or with the last sibling', (t) => {
  t.deepEqual(left(`${ARTICLE}<h3>Related</h3>${LINKS}<h2 id=next>Gates</h2><p id=kept>y</p>`), [
    'article',
    'next',
    'kept',
  ]);
  t.deepEqual(left(`<div id=page>${ARTICLE}<h3>Related</h3>${LINKS}</div><p id=kept>y</p>`), [
    'page',
    'article',
    'kept',
  ]);
});

test('prose after such a heading keeps its whole part', (t) => {
  t.deepEqual(left(`${ARTICLE}<h2 id=heading>Related work</h2><p id=prose>${prose('B', 300)}</p>`), [
    'article',
    'heading',
    'prose',
  ]);
});

test('drops several parts', (t) => {
  const part = (heading: string) => `<div id=part><h2>${heading}</h2>${LINKS}</div>`;
  t.deepEqual(left(part('Most read') + ARTICLE + part('Related') + part('Follow us')), ['article']);
});

test('a page that consists of such a part is kept', (t) => {
  t.deepEqual(left(`<h1 id=heading>Customer reviews</h1><p id=review>${prose('A', 500)}</p>`), ['heading', 'review']);
  t.deepEqual(left('<h1 id=heading>Comments</h1><p id=comment>x</p>'), ['heading', 'comment']);
});

test('on pages about one thing, headings are known in other languages', (t) => {
  const html = `${ARTICLE}<div id=part><h2>Ähnliche Artikel</h2>${LINKS}</div>`;
  t.deepEqual(left(html, 'article'), ['article']);
  t.deepEqual(left(html, 'product'), ['article']);
  t.deepEqual(left(html, 'thread'), ['article']);
  for (const kind of ['home', 'list', 'other'] as const) t.deepEqual(left(html, kind), ['article', 'part', 'links']);
});

test('a part under a known heading may have some prose', (t) => {
  const remains = (characters: number, rest: number) =>
    left(
      `${ARTICLE}<p>${prose('More', 1000)}</p><div id=part><h2>Leia mais</h2><p>${prose('B', characters)}</p>${'<b>cell</b>'.repeat(rest)}</div>`,
      'article',
    ).includes('part');
  t.false(remains(300, 0));
  t.true(remains(301, 0));
  // 9 + 301 + 4 × 73 = 602 characters.
  t.false(remains(301, 73));
  t.true(remains(301, 72));
});

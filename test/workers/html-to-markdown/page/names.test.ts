import test from 'ava';
import { NAME, namesOf } from '../../../../workers/html-to-markdown/page/names.ts';
import { bodyOf } from './pages.ts';

type Name = keyof typeof NAME;
const isName = (name: string): name is Name => name in NAME;

function namesIn(tag: string): readonly Name[] {
  const node = bodyOf(`<${tag}>`).firstChild;
  const bits = node === null ? 0 : namesOf(node);
  return Object.keys(NAME)
    .filter(isName)
    .filter((name) => (bits & NAME[name]) !== 0);
}

const CALLED: readonly (readonly [string, string, readonly Name[]])[] = [
  ['a navigation element', 'nav', ['frame']],
  ['an aside', 'aside', ['beside']],
  ['a footer', 'footer', ['beside']],
  ['an aside by role', 'div role=complementary', ['beside']],
  ['a main element', 'main', ['main']],
  ['an article', 'article', ['main']],
  ['a header', 'header', ['header']],
  ['a plain element', 'div', []],
  ['an element with empty names', 'div class id=""', []],
  ['a navigation by role', 'div role=navigation', ['frame']],
  ['the main part by role', 'div role=main', ['main']],
  ['a tab panel by role', 'div role=tabpanel', ['disclosure']],
  ['a word of the frame', 'div class=breadcrumbs', ['frame']],
  ['a word of a layout', 'div class=sidebar', ['weakFrame']],
  ['a word of comments', 'div class=disqus', ['comments']],
  ['a word of comments in an id alone', 'div id=disqus', ['comments', 'fromId']],
  ['a word of comments in an id, and one of a layout', 'div id=disqus class=sidebar', ['weakFrame', 'comments']],
  ['an id that names no frame', 'div id=main-content', ['disclosure', 'postText']],
  ['a word of a disclosure', 'div class=accordion', ['disclosure']],
  ['one class of several', 'div class="a\nb  cookie c"', ['frame']],
  ['a class and an id', 'div class=filters id=comments', ['weakFrame', 'comments']],
  ['a tag, a role and a class', 'header role=banner class=tabs', ['frame', 'disclosure', 'header']],
  ['a word joined by hyphens', 'div class=site-footer-wrap', ['frame']],
  ['a block of BEM', 'div class=newsletter__button--big', ['frame', 'articleDetail', 'postDetail']],
  ['an element of BEM', 'div class=page__sidebar', ['weakFrame']],
  ['a modifier of BEM', 'div class=list--comments', ['comments']],
  ['a word in camel case', 'div class=pageCookieBar', ['frame']],
  ['a word in Pascal case', 'div id=ShareButtons', ['frame', 'fromId']],
  ['a word in capitals', 'div class=SITE_FOOTER', ['frame']],
  ['a word with a number', 'div class=ads2', ['frame']],
  ['a word of reviews', 'div class=user-ratings', ['reviews']],
  ['the author of an article', 'div class=entry-byline', ['author']],
  ['a detail of an article', 'div class=entry-tags', ['articleDetail']],
  ['an offer', 'div class=inline-cta', ['offer']],
  ['a form', 'form', ['form']],
  ['answers to questions', 'div class=page-faqs', ['questions']],
  ['a detail of a post', 'div class=message-signature', ['postDetail']],
  ['the text of a post', 'div class=message-quote', ['postText']],
  ['a detail by an id', 'div id=byline', []],
  ['hidden by a class', 'div class="box d-none"', ['hidden']],
  ['hidden on some screens', 'div class="hidden md:block"', []],
  ['hidden on some screens of Bootstrap', 'div class="d-none d-lg-flex"', []],
  ['hidden by an id', 'div id=hidden', []],
  ['a title of content', 'div id=a-short-history-of-the-cookie', []],
  ['a title of content that can be opened', 'div id=a-short-history-in-full-detail-tab', ['disclosure']],
  ['a title with numbers', 'div id=gate-no-16-2023-review', []],
  ['an id of few words', 'div id=user-review-list', ['reviews', 'fromId']],
  ['what a page has', 'div class=layout-has-sidebar', []],
  ['what a page has, after its own name', 'div class=footer-with-cart', ['frame']],
  ['what a post is about', 'div class=category-advertisement', []],
];

for (const [what, tag, names] of CALLED) {
  test(`${what} (<${tag}>) is named ${names.join(', ') || 'nothing'}`, (t) => {
    t.deepEqual(namesIn(tag), names);
  });
}

for (const word of ['navy', 'unrelated', 'sharepoint', 'adsense', 'commentary', 'tabular', 'roads', 'preview']) {
  test(`does not match a part of a word: ${word}`, (t) => {
    t.deepEqual(namesIn(`div class=${word}`), []);
  });
}

test('other attributes have no names', (t) => {
  t.deepEqual(namesIn('div title=nav name=footer data-class=sidebar aria-label=comments'), []);
});

test('a role must be written as in the standard', (t) => {
  t.deepEqual(namesIn('div role="nav"'), []);
});

test('the first 300 characters of a value are read, cached or not', (t) => {
  const filler = 'x '.repeat(149);
  for (let round = 0; round < 2; round += 1) {
    t.deepEqual(namesIn(`div class="footer ${'x '.repeat(400)}"`), ['frame']);
    t.deepEqual(namesIn(`div class="${filler}x footer"`), []);
  }
});

test('a value has the same names again, as class or as id', (t) => {
  for (const id of [[], ['fromId']] as const) {
    const attribute = id.length === 0 ? 'class' : 'id';
    for (let round = 0; round < 2; round += 1) t.deepEqual(namesIn(`div ${attribute}=footer-a`), ['frame', ...id]);
  }
});

test('names are the same when the cache is full', (t) => {
  for (let at = 0; at < 6000; at += 1) namesIn(`div class=c-${at}`);
  t.deepEqual(namesIn('div class=late-sidebar'), ['weakFrame']);
  t.deepEqual(namesIn('div class=late-sidebar'), ['weakFrame']);
});

import test from 'ava';
import type { PageKind } from '../../../../workers/html-to-markdown/metadata/page-kind.ts';
import { dropBoilerplate } from '../../../../workers/html-to-markdown/page/boilerplate.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

/** The marks of the elements that remain when the frame of the page is dropped. */
function left(html: string, kind: PageKind = 'other'): readonly string[] {
  const survey = Survey.of(bodyOf(html));
  dropBoilerplate(survey, kind);
  const { elements, dropped } = survey;
  return elements.filter((_, index) => dropped[index] === 0).flatMap((node) => node.getAttribute('data-mark') ?? []);
}

/** Whether a part remains in a page with 1,000 characters of prose. */
function isLeft(tag: string, content: string): boolean {
  const name = tag.split(' ')[0];
  return left(`<p>${prose('P', 1000)}</p><${tag} data-mark=it>${content}</${name}>`).includes('it');
}

const FRAME = [
  'nav',
  'footer',
  'header',
  'div role=navigation',
  'div role=search',
  'ul class=breadcrumbs',
  'div class=cookie-consent',
  'section class=related-products',
  'div class=review-list',
  'div id=mini-cart class=minicart',
  'div class=comments',
];
for (const tag of FRAME) {
  test(`<${tag}> is dropped with its content`, (t) => {
    t.deepEqual(
      left(`<p data-mark=a>${prose('P', 1000)}</p><${tag}><p data-mark=b>b</p></${tag}><p data-mark=c>c</p>`),
      ['a', 'c'],
    );
  });
}

for (const tag of ['main', 'article', 'div class=page', 'div class=tabs', 'form', 'section', 'address']) {
  test(`<${tag}> stays`, (t) => {
    t.true(isLeft(tag, 'a'));
  });
}

for (const tag of ['article', 'main', 'h1', 'p', 'pre']) {
  test(`<${tag}> has content whatever its class is`, (t) => {
    t.true(isLeft(`${tag} class="share related sidebar comments"`, 'a'));
  });
}

test('a table and its cells have content whatever their classes are', (t) => {
  const table = '<table class=nav data-mark=a><tbody class=nav><tr class=nav><td class=nav data-mark=b>x</table>';
  t.deepEqual(left(`<p>${prose('P', 1000)}</p>${table}`), ['a', 'b']);
});

for (const tag of ['div class=sidebar', 'div role=search', 'div class=related', 'header']) {
  test(`<${tag}> with more than 40 % of a page is not part of the frame`, (t) => {
    const page = (own: number) =>
      left(`<p>${prose('P', 1000 - own)}</p><${tag} data-mark=it><p>${prose('A', own)}</p></${tag.split(' ')[0]}>`);
    t.deepEqual(page(tag.includes('sidebar') ? 80 : 400), []);
    t.deepEqual(page(401), ['it']);
  });
}

for (const tag of ['nav', 'footer']) {
  test(`<${tag}> is part of the frame up to 90 % of a page`, (t) => {
    const page = (own: number) =>
      left(`<p>${prose('P', 1000 - own)}</p><${tag} data-mark=it>${prose('A', own)}</${tag}>`);
    t.deepEqual(page(900), []);
    t.deepEqual(page(901), ['it']);
  });
}

test('a part that is navigation by class or role alone is part of the frame up to 40 %', (t) => {
  for (const name of ['class=nav', 'role=navigation']) {
    t.deepEqual(left(`<p>${prose('P', 500)}</p><div ${name} data-mark=it>${prose('A', 500)}</div>`), ['it']);
  }
});

test('shares are computed from content, and links are not content', (t) => {
  const links = '<a>a link of some thirty characters</a> '.repeat(100);
  t.deepEqual(left(`<p>${prose('P', 500)}</p><div class=related data-mark=it>${links}</div>`), []);
});

test('a page that only consists of its frame keeps it', (t) => {
  t.deepEqual(left('<nav data-mark=it>roads</nav>'), ['it']);
  t.deepEqual(left('<div class=footer data-mark=it>roads</div>'), ['it']);
});

for (const name of ['sidebar', 'filters', 'modal', 'banner', 'menu', 'form']) {
  test(`a part called ${name} stays as a column of the layout if half of it is prose`, (t) => {
    const entry = (characters: number) => `<p>${prose('A', characters)}</p>`;
    t.true(isLeft(`div class=${name}`, entry(150) + '<b>x</b>'.repeat(150)));
    t.false(isLeft(`div class=${name}`, entry(150) + '<b>x</b>'.repeat(151)));
    t.false(isLeft(`div class=${name}`, entry(99)));
  });
}

test('a part that is certainly frame is dropped even with prose', (t) => {
  t.false(isLeft('div class=newsletter', `<p>${prose('A', 300)}</p>`));
  t.false(isLeft('div class="sidebar related"', `<p>${prose('A', 300)}</p>`));
});

test('a form with a field for every few words is dropped', (t) => {
  const label = (characters: number) => `<label>${'x'.repeat(60)}<b>${'x'.repeat(characters - 60)}</b></label><input>`;
  t.false(isLeft('form', label(120)));
  t.true(isLeft('form', label(121)));
  t.false(isLeft('form', `<input type=email>${'x'.repeat(60)}`));
  t.true(isLeft('form', `<input type=hidden>${'x'.repeat(60)}`));
  t.true(isLeft('form', `${'<label>x</label>'.repeat(20)}<p>${prose('A', 100)}`));
});

test('the header of an article stays, and that of the page is dropped', (t) => {
  const page = (name: string) =>
    `<header data-mark=a>a</header><${name}><div><header data-mark=b>b</header></div>${prose('P', 1000)}</${name}>`;
  t.deepEqual(left(page('main')), ['b']);
  t.deepEqual(left(page('article')), ['b']);
  t.deepEqual(left(page('div')), []);
});

test('frames inside the main content are dropped too', (t) => {
  t.deepEqual(left(`<main data-mark=a>${prose('P', 1000)}<div class=share data-mark=b>b</div></main>`), ['a']);
});

test('comments are dropped up to 40 % of a page', (t) => {
  const page = (own: number) =>
    left(`<p>${prose('P', 1000 - own)}</p><div class=comments data-mark=it>${prose('A', own)}</div>`);
  t.deepEqual(page(400), []);
  t.deepEqual(page(401), ['it']);
});

test('comments that together are most of a page stay', (t) => {
  const comments = Array.from({ length: 10 }, (_, at) => `<div class=comment data-mark=${at}>${prose('A', 100)}</div>`);
  t.is(left(`<p>${prose('P', 1000)}</p>${comments.join('')}`).length, 10);
  t.is(left(`<p>${prose('P', 1501)}</p>${comments.join('')}`).length, 0);
});

test('nested comments count once', (t) => {
  const inner = `<div class=comment>${prose('A', 300)}</div>`;
  t.deepEqual(left(`<p>${prose('P', 1000)}</p><div class=comments data-mark=it>${inner}</div>`), []);
});

test('comments below an article are dropped, however many there are', (t) => {
  const page = (own: number) =>
    left(`<p>${prose('P', own)}</p><div class=comments data-mark=it><p>${prose('A', 9000)}</p></div>`);
  t.deepEqual(page(1999), ['it']);
  t.deepEqual(page(2000), []);
});

test('a part of the frame beside a main element is dropped, however large it is', (t) => {
  const footer = `<div class=footer data-mark=it><p>${prose('A', 19000)}</p></div>`;
  t.deepEqual(left(`<main>${prose('P', 1500)}</main>${footer}`), []);
  t.deepEqual(left(`${footer}<main>${prose('P', 1500)}</main>`), []);
  t.deepEqual(left(`<main>${prose('P', 1499)}</main>${footer}`), ['it']);
  t.deepEqual(left(`<main>${prose('P', 1500)}${footer}</main>`), ['it']);
});

test('many parts of one class are the content of a list, unless they are reviews or hidden', (t) => {
  const page = (name: string, own: number) =>
    left(
      `<p>${prose('P', 1000 - 10 * own)}</p>${`<div class="${name}" data-mark=it>${prose('A', own)}</div>`.repeat(10)}`,
    ).length;
  t.is(page('card cart-button', 41), 10);
  t.is(page('card cart-button', 40), 0);
  t.is(page('review', 60), 0);
  t.is(page('card hidden', 60), 0);
});

test('what a class hides is dropped, but a tab stays', (t) => {
  t.false(isLeft('div class="price d-none"', 'a'));
  t.true(isLeft('div class="tab-pane hidden"', 'a'));
  t.true(isLeft('div class="hidden md:block"', 'a'));
});

test('prose of the frame is not prose of a thread', (t) => {
  const html = `<div class=comments data-mark=posts><p>${prose('Post', 300)}</p></div>
    <div class=cookie-consent><p>${prose('Cookies', 1000)}</p></div>`;
  t.deepEqual(left(html, 'thread'), ['posts']);
});

test('a part whose class is of navigation is dropped if it has little prose', (t) => {
  t.true(isLeft('div class=content-nav-section', `<p>${prose('A', 300)}</p>`));
  t.false(isLeft('div class=content-nav-section', `<p>${prose('A', 100)}</p>${'<b>Road</b>'.repeat(26)}`));
  t.false(isLeft('nav', `<p>${prose('A', 300)}</p>`));
});

test('comments with more than half of the prose of a thread are its posts', (t) => {
  const page = (outside: number) =>
    left(`<p>${prose('P', outside)}</p><div class=comments data-mark=it><p>${prose('A', 3000)}</p></div>`, 'thread');
  t.deepEqual(page(2999), ['it']);
  t.deepEqual(page(3000), []);
  // A small share of the content can be most of the prose.
  const names = '<b>keeper</b>'.repeat(1500);
  t.deepEqual(left(`${names}<div class=comments data-mark=it><p>${prose('A', 3000)}</p></div>`, 'thread'), ['it']);
});

test('a heading of the main element with text beside it stays, whatever its class is', (t) => {
  const page = (beside: string) =>
    left(`<main><h2 class=share data-mark=it>Share</h2>${beside}${prose('P', 1000)}</main>`);
  t.deepEqual(page('<p>Sends a copy to the others.</p>'), ['it']);
  t.deepEqual(page('<p><a>a</a><a>b</a></p>'), []);
});

import test from 'ava';
import type { PageKind } from '../../../../workers/html-to-markdown/metadata/page-kind.ts';
import { dropDetails } from '../../../../workers/html-to-markdown/page/details.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

function isLeft(kind: PageKind, part: string, characters = 9000) {
  const survey = Survey.of(bodyOf(`<p>${prose('P', characters)}</p>${part}`));
  dropDetails(survey, 0, { kind, host: 'toll.example' });
  return survey.elements.some((node, index) => node.getAttribute('id') === 'it' && survey.dropped[index] === 0);
}

for (const name of ['author-box', 'entryTags', 'social_buttons', 'photo-credit', 'post__byline']) {
  test(`an article is written without its ${name}`, (t) => {
    t.false(isLeft('article', `<div id=it class=${name}>x</div>`));
    t.true(isLeft('other', `<div id=it class=${name}>x</div>`));
  });
}

test('a detail of an article may be a life of its author, but not a large part of the text', (t) => {
  const author = (characters: number) => `<div id=it class=author>${prose('A', characters)}</div>`;
  t.false(isLeft('article', author(1500)));
  t.true(isLeft('article', author(1501)));
  t.false(isLeft('article', author(200), 800));
  t.true(isLeft('article', author(201), 800));
});

for (const tag of ['p', 'h2', 'article', 'a', 'pre', 'table']) {
  test(`<${tag}> holds text of an article whatever its class is`, (t) => {
    t.true(isLeft('article', `<${tag} id=it class=author><tr><td>x</${tag}>`));
  });
}

test('a section of an article is a detail only if it is named as its author', (t) => {
  t.false(isLeft('article', '<section id=it class=author>x</section>'));
  t.true(isLeft('article', '<section id=it class=links>x</section>'));
});

test('an offer in an article is a detail if it is short', (t) => {
  const offer = (characters: number) => `<div id=it class=post-cta>${prose('A', characters)}</div>`;
  t.false(isLeft('article', offer(500)));
  t.true(isLeft('article', offer(501)));
  t.true(isLeft('product', offer(500)));
});

test('a line of an article that is a link as a whole is a detail', (t) => {
  t.false(isLeft('article', '<div id=it><a href=x><span>A road with a long name</span></a></div>'));
  t.false(isLeft('article', `<div id=it>abc<a href=x>${'x'.repeat(17)}</a></div>`));
  t.true(isLeft('article', `<div id=it>abc<a href=x>${'x'.repeat(16)}</a></div>`));
  t.true(isLeft('thread', '<div id=it><a href=x>A road</a></div>'));
  t.true(isLeft('article', '<div id=it><a href=x><h2>A road</h2></a></div>'));
  t.true(isLeft('article', '<div id=it><a href=x><img src=x alt=x>A road</a></div>'));
});

test('a longer paragraph that is a link as a whole is a reference', (t) => {
  t.false(isLeft('article', `<p id=it><a href=x>${'x'.repeat(20)}</a>`));
  t.true(isLeft('article', `<p id=it><a href=x>${'x'.repeat(21)}</a>`));
  t.true(isLeft('article', '<ul><li id=it><a href=x>A road</a></ul>'));
});

test('a line that links to a file, or by a longer text to another site, is a source', (t) => {
  const line = (link: string) => `<div id=it><a ${link}</a></div>`;
  t.true(isLeft('article', line('href=/report.pdf>Report')));
  t.true(isLeft('article', line('href="https://council.example/r?x=1">Report of the council')));
  t.false(isLeft('article', line('href=https://council.example/>Read more')));
  t.false(isLeft('article', line('href=https://www.toll.example/r>Report of the council')));
  t.false(isLeft('article', line('rel="nofollow sponsored" href=https://shop.example/>Buy the same lamp here')));
});

for (const name of ['user-stats', 'message-signature', 'post_actions', 'voteButtons votes']) {
  test(`a post is written without its ${name}`, (t) => {
    t.false(isLeft('thread', `<div id=it class="${name}">x</div>`));
    t.true(isLeft('article', `<div id=it class=user-stats>x</div>`));
  });
}

test('what is named as the text of a post, or is long, is no detail of it', (t) => {
  t.true(isLeft('thread', '<div id=it class="post-body js-edit">x</div>'));
  t.true(isLeft('thread', `<div id=it class=stats>${prose('A', 100)}</div>`));
  t.false(isLeft('thread', `<div id=it class=stats>${'<b>x</b>'.repeat(300)}</div>`));
  t.true(isLeft('thread', `<div id=it class=stats>${'<b>x</b>'.repeat(301)}</div>`));
  t.true(isLeft('thread', '<h3 id=it class=title>x</h3>'));
});

test('the author and the date of a post stay', (t) => {
  t.true(isLeft('thread', '<div id=it class=post-author>x</div>'));
  t.true(isLeft('thread', '<div id=it class=post-date>x</div>'));
});

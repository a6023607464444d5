import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { dropNextArticles } from '../../../../workers/html-to-markdown/page/next-articles.ts';
import { Survey } from '../../../../workers/html-to-markdown/page/survey.ts';
import { bodyOf, prose } from './pages.ts';

const DATE = '<time>1 May</time>';
const text = (characters = 600) => `<p>${prose('Text', characters)}</p>`;
const own = (heading = 'h1') => `<article id=own><${heading}>Toll roads</${heading}>${DATE}${text()}</article>`;
const next = (content: string, tag = 'div') => `<${tag} id=next>${content}</${tag}>`;

/** Whether the next article remains on a page whose title is "Toll roads". */
function isLeft(html: string, title: string | null = 'Toll roads'): boolean {
  const survey = Survey.of(bodyOf(html));
  dropNextArticles(survey, title);
  return survey.elements.some((node, index) => node.getAttribute('id') === 'next' && survey.dropped[index] === 0);
}

test('an article below the own one of the page is dropped', (t) => {
  t.false(isLeft(own() + next(`<h1>Bridges</h1>${DATE}${text()}`)));
  t.false(isLeft(own() + next(`<article><h1>Bridges</h1><p class=byline>Keeper</p>${text()}</article>`)));
  t.false(isLeft(`<div>${own()}${next(`<h1>Bridges</h1>${DATE}${text()}`)}</div>`));
  t.false(isLeft(`<header><h1>TOLL ROADS</h1></header>${text()}${next(`<h1>Bridges</h1>${DATE}${text()}`)}`));
});

test('all next articles are dropped from an endless page', (t) => {
  const post = (name: string) => `<div class=post><h1>${name}</h1>${DATE}<p>${prose(name, 700)}</p></div>`;
  const head = '<meta property=og:title content="Toll roads"><meta property=og:type content=article>';
  const { markdown } = htmlToMarkdown({
    html: `<head>${head}</head><body>${post('Toll roads')}${post('Bridges')}${post('Gates')}`,
  });
  t.true(markdown.includes('Toll roads goes'));
  t.false(markdown.includes('Bridges goes'));
  t.false(markdown.includes('Gates goes'));
});

test('the same posts on a page with another title stay', (t) => {
  const posts = own() + next(`<h1>Bridges</h1>${DATE}${text()}`);
  t.true(isLeft(posts, 'All posts'));
  t.true(isLeft(posts, null));
  t.true(isLeft(posts, '!'));
});

test('a part without a date and an author, or with little text, is a section of the article', (t) => {
  t.true(isLeft(own() + next(`<h1>Bridges</h1>${text()}`)));
  t.true(isLeft(own() + next(`<h1>Bridges</h1>${DATE}${text(599)}`)));
});

test('what comes after little text stays', (t) => {
  const page = (characters: number) =>
    `<h1>Toll roads</h1>${text(characters)}${next(`<h1>Bridges</h1>${DATE}${text()}`)}`;
  t.true(isLeft(page(599)));
  t.false(isLeft(page(600)));
});

test('headlines of another rank are headings of sections, and those of rank 2 are headlines of article elements', (t) => {
  t.true(isLeft(own() + next(`<h2>Bridges</h2>${DATE}${text()}`, 'article')));
  t.true(isLeft(own('h2') + next(`<h2>Bridges</h2>${DATE}${text()}`)));
  t.false(isLeft(own('h2') + next(`<h2>Bridges</h2>${DATE}${text()}`, 'article')));
});

test('the title repeated, and a part around both, stay', (t) => {
  t.true(isLeft(own() + next(`<h1>Toll roads</h1>${DATE}${text()}`)));
  t.true(isLeft(next(`${own()}<h1>Bridges</h1>${DATE}${text()}`)));
});

import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { firstParagraph } from '../../../../workers/html-to-markdown/metadata/excerpt.ts';
import { bodyOf, prose } from '../page/pages.ts';

const excerptOf = (html: string) => htmlToMarkdown({ html }).excerpt;
const FIRST = prose('First', 200);
const content = `<main><h1>Gates</h1><p>By Ada Lane</p><p>${FIRST}</p><p>${prose('Second', 300)}</p></main>`;

for (const [what, frame] of [
  ['a banner', `<div class="cookie-banner"><p>${prose('Cookie', 120)}</p></div>`],
  ['a banner without a class', `<div role="dialog"><p>${prose('Consent', 120)}</p></div>`],
  ['a menu', `<nav><p>${prose('Menu', 120)}</p></nav>`],
  ['a header', `<header class="site-header"><p>${prose('Slogan', 120)}</p></header>`],
  ['hidden text', `<p hidden>${prose('Hidden', 120)}</p>`],
] as const) {
  test(`the excerpt of a page is not from ${what} before its content`, (t) => {
    t.is(excerptOf(`<html><body>${frame}${content}</body></html>`), FIRST);
  });
}

test('the excerpt is the description if the page has one', (t) => {
  t.is(excerptOf(`<html><head><meta name=description content="About gates"></head><body>${content}`), 'About gates');
});

test('the excerpt of a fragment is its first long paragraph', (t) => {
  t.is(excerptOf(`<nav><p>${prose('Menu', 120)}</p></nav><p>Short.</p><p>${FIRST}</p>`), FIRST);
  t.is(excerptOf('<p>Short.</p>'), null);
});

test('references in a paragraph are text', (t) => {
  t.true(excerptOf(`<p>${FIRST} &amp;nbsp;</p>`)?.endsWith(' &nbsp;'));
});

test('the excerpt is cut after a word', (t) => {
  const long = 'gate '.repeat(1000);
  const excerpt = firstParagraph(bodyOf(`<p>${long}</p>`));
  t.true(excerpt !== null && excerpt.length <= 300 && long.startsWith(`${excerpt} `));
});

test('many nested paragraphs are read in linear time', (t) => {
  t.is(firstParagraph(bodyOf('<object><p>'.repeat(20_000))), null);
});

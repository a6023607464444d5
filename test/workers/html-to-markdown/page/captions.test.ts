import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { prose } from './pages.ts';

const ARTICLE = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "Gates"}</script>';
const PICTURE = '<img src=/gate.png alt=Gate>';
const CAPTION = '<figcaption>The old <a href=/gate>gate</a></figcaption>';

function written(figure: string, head = ARTICLE): string {
  return htmlToMarkdown({ html: `<head>${head}</head><body><p>${prose('Text', 400)}</p>${figure}` }).markdown;
}

test('the caption of a picture in an article becomes the title of the picture', (t) => {
  const titled = '![Gate](/gate.png "The old gate")';
  t.true(written(`<figure>${PICTURE}${CAPTION}</figure>`).endsWith(`\n\n${titled}\n`));
  t.true(written(`<figure><a>${PICTURE.replace('<img', '<img title=x')}</a>${CAPTION}</figure>`).includes(titled));
  t.true(written(`<div>${PICTURE}<p class="a wp-caption-text">The old gate</p></div>`).includes(titled));
});

test('the caption of a page that is no article is written as text', (t) => {
  t.true(written(`<figure>${PICTURE}${CAPTION}</figure>`, '').includes('\n\nThe old [gate](/gate)'));
});

for (const [about, figure] of [
  ['several pictures', `${PICTURE}${PICTURE}${CAPTION}`],
  ['no picture', CAPTION],
  ['a picture without an address', `<img alt=Gate>${CAPTION}`],
  ['a picture whose address is its content', `<img src="data:image/png;base64,AA" alt=Gate>${CAPTION}`],
  ['a table', `${PICTURE}<table><tr><td>a<td>b</table>${CAPTION}`],
]) {
  test(`the caption of ${about} is written as text`, (t) => {
    t.true(written(`<figure>${figure}</figure>`).includes('The old [gate](/gate)'));
  });
}

test('two captions of one picture are written as text', (t) => {
  const markdown = written(`<figure>${PICTURE}${CAPTION}<figcaption>Photo: Keeper</figcaption></figure>`);
  t.true(markdown.includes('The old [gate](/gate)'));
  t.true(markdown.includes('\n\nPhoto: Keeper'));
});

test('a long caption, and captions that are much of the text, are written as text', (t) => {
  const captioned = (characters: number) =>
    written(`<figure>${PICTURE}<figcaption>${prose('Story', characters)}</figcaption></figure>`).includes('\n\nStory');
  t.false(captioned(171));
  t.true(captioned(172));
  const long = (characters: number) =>
    written(
      `<p>${prose('More', 2000)}</p><figure>${PICTURE}<figcaption>${prose('Story', characters)}</figcaption></figure>`,
    ).includes('\n\nStory');
  t.false(long(600));
  t.true(long(601));
});

import test from 'ava';
import { htmlToMarkdown } from '../../../../workers/html-to-markdown/html-to-markdown.ts';
import { findCore, findMainContent } from '../../../../workers/html-to-markdown/page/main-content.ts';
import { idOf, prose, surveyOf } from './pages.ts';

type Row = readonly [what: string, html: string, id: string | null];

const it = (tag: string, characters: number, inside = '') =>
  `<${tag} id=it><p>${prose('A', characters)}</p>${inside}</${tag.split(' ')[0]}>`;
const text = (characters: number) => `<p>${prose('P', characters)}</p>`;
const other = (characters: number) => `<article>${text(characters)}</article>`;
const cells = (count: number) => '<b>cell</b>'.repeat(count);

const MAIN: readonly Row[] = [
  ['the main element has the content', text(200) + it('main', 1000), 'it'],
  ['so has an element with its role', text(200) + it('div role=main', 1000), 'it'],
  ['so has an article', text(200) + it('article', 1000), 'it'],
  ['without a name, the whole page is the content', text(200) + it('div', 1000), null],
  ['a main element with 35 % of the page is believed', text(650) + it('main', 350), 'it'],
  ['one with less of its content is not', text(651) + it('main', 349), null],
  ['one with less of its prose is not', text(651) + it('main', 349, cells(200)), null],
  ['the main element around an article is the content', it('main', 500, other(500)), 'it'],
  ['what was dropped is not the content', `${text(200)}<div gone>${it('main', 1000)}</div>`, null],
  ['an article beside half as much in others is the content', it('article', 400) + other(200), 'it'],
  ['one of several articles is not', it('article', 400) + other(201), null],
];
for (const [what, html, id] of MAIN) {
  test(what, (t) => {
    const survey = surveyOf(html);
    t.is(idOf(survey.elements[findMainContent(survey)]), id);
  });
}

const CORES: readonly Row[] = [
  ['a container with 70 % of the prose is the core', text(300) + it('div', 700), 'it'],
  ['one with less is not', text(301) + it('div', 699), null],
  ['the innermost one is the core', `<section><div>${it('div', 700)}</div>${text(300)}</section>`, 'it'],
  ['a core has half of the text', cells(250) + it('div', 1000), 'it'],
  ['a container with less text is not the core', cells(251) + it('div', 1000), null],
  ['without prose, the content tells', `<div id=it>${cells(70)}</div><p>${cells(30)}`, 'it'],
  ['other elements are no containers', it('blockquote', 1000), null],
  ['what was dropped is no core', `${text(200)}<div gone>${it('div', 1000)}</div>`, null],
];
for (const [what, html, id] of CORES) {
  test(what, (t) => {
    const survey = surveyOf(html);
    t.is(idOf(survey.elements[findCore(survey, 0)]), id);
  });
}

const convert = (html: string) => htmlToMarkdown({ html }).markdown;

test('the content of a page is written without its frame, and a fragment whole', (t) => {
  const fragment = `<header><a href="/">Home</a></header><nav><a href="/a">Roads</a></nav>
    <div class="cookie-banner">We use cookies.</div>
    <main><article><header><h1>Toll houses</h1></header>${text(500)}<div class="share"><a href=b>Tell others</a></div></article></main>
    <aside>Most read</aside><footer>Imprint</footer>`;
  t.is(convert(`<body>${fragment}`), `# Toll houses\n\n${prose('P', 500)}\n`);
  for (const words of ['Home', 'Roads', 'cookies', 'Most read', 'Imprint', 'Tell others']) {
    t.true(convert(fragment).includes(words), words);
  }
});

import { nextArticles } from '../../../../workers/html-to-markdown/page/next-articles.ts';
import { prose, testRule } from './pages.ts';

const DATE = '<time>1 May</time>';
const text = (characters = 600) => `<p>${prose('Text', characters)}</p>`;
const own = (heading = 'h1') => `<article><${heading}>Toll roads</${heading}>${DATE}${text()}</article>`;
const next = (content: string, tag = 'div', id = 'next') => `<${tag} id=${id}>${content}</${tag}>`;
const BRIDGES = `<h1>Bridges</h1>${DATE}${text()}`;
const BRIDGES_2 = `<h2>Bridges</h2>${DATE}${text()}`;

testRule(
  nextArticles,
  [
    ['an article below the own one goes', own() + next(BRIDGES), ''],
    [
      'an article with an author goes',
      own() + next(`<article><h1>Bridges</h1><p class=byline>Keeper</p>${text()}</article>`),
      '',
    ],
    ['an article beside the own one goes', `<div>${own()}${next(BRIDGES)}</div>`, ''],
    ['the title may be in a header', `<header><h1>TOLL ROADS</h1></header>${text()}${next(BRIDGES)}`, ''],
    ['all next articles go', own() + next(BRIDGES) + next(BRIDGES.replace('Bridges', 'Gates'), 'div', 'last'), ''],
    ['posts on a page with another title stay', own() + next(BRIDGES), 'next', { title: 'All posts' }],
    ['posts on a page without a title stay', own() + next(BRIDGES), 'next', { title: null }],
    ['a title without letters does not count', own() + next(BRIDGES), 'next', { title: '!' }],
    ['posts of a list stay', own() + next(BRIDGES), 'next', { kind: 'list' }],
    ['a part without a date and an author is a section', own() + next(`<h1>Bridges</h1>${text()}`), 'next'],
    ['a part with little text is one', own() + next(`<h1>Bridges</h1>${DATE}${text(599)}`), 'next'],
    ['what comes after little text stays', `<h1>Toll roads</h1>${text(599)}${next(BRIDGES)}`, 'next'],
    ['what comes after more text goes', `<h1>Toll roads</h1>${text(600)}${next(BRIDGES)}`, ''],
    ['a headline of another rank is of a section', own() + next(BRIDGES_2, 'article'), 'next'],
    ['a headline of rank 2 is of an article element', own('h2') + next(BRIDGES_2, 'article'), ''],
    ['elsewhere it is of a section', own('h2') + next(BRIDGES_2), 'next'],
    ['the title repeated stays', own() + next(BRIDGES.replace('Bridges', 'Toll roads')), 'next'],
    ['a part around both stays', next(own() + BRIDGES), 'next'],
  ],
  { title: 'Toll roads' },
);

import { type Case, type Language, page, prose, testCases } from './kinds.ts';

interface Titled {
  readonly what: string;
  readonly tag: string;
  readonly h1: string;
  readonly title: string;
  readonly head?: string;
  readonly lang?: Language;
}

const TITLES: readonly Titled[] = [
  {
    what: 'a headline with a dash is whole if the h1 is the same',
    tag: 'Ropes — what three hundred meters of hemp can teach',
    h1: 'Ropes — what three hundred meters of hemp can teach',
    title: 'Ropes — what three hundred meters of hemp can teach',
  },
  {
    what: 'a German headline with a dash is whole, without the name of the site',
    tag: 'Nebel – eine kurze Geschichte des Horns | Kelmer Bote',
    h1: 'Nebel – eine kurze Geschichte des Horns',
    title: 'Nebel – eine kurze Geschichte des Horns',
    lang: 'de',
  },
  {
    what: 'a French headline with a colon and a bar is whole',
    tag: 'Le sel : une route, trois villes - Le Quai',
    h1: 'Le sel : une route, trois villes',
    title: 'Le sel : une route, trois villes',
    lang: 'fr',
  },
  {
    what: 'the name of an entity in a headline is decoded once',
    tag: 'When to write &amp;amp; in a feed',
    h1: 'When to write &amp;amp; in a feed',
    title: 'When to write &amp; in a feed',
  },
  {
    what: 'the name of a tag in a headline is decoded once',
    tag: 'How to escape &amp;lt;b&amp;gt; twice',
    h1: 'How to escape &amp;lt;b&amp;gt; twice',
    title: 'How to escape &lt;b&gt; twice',
  },
  {
    what: 'a title with an ampersand is whole beside a shorter h1',
    tag: 'Rope &amp; Sail',
    h1: 'Rope',
    title: 'Rope & Sail',
  },
  {
    what: 'a title with an ampersand is whole beside an h1 that is its second word',
    tag: 'Bread &amp; Butter',
    h1: 'Butter',
    title: 'Bread & Butter',
  },
  {
    what: 'the name of a site after a short title is cut without a witness',
    tag: 'Tides - Kelm Harbor Office',
    h1: '',
    title: 'Tides',
  },
  {
    what: 'the title of a page is that of its content if the name of the site is an h1 too',
    tag: 'Moorings — Kelm manual',
    h1: 'Moorings',
    title: 'Moorings',
    head: '<meta property="og:site_name" content="Kelm manual">',
  },
  {
    what: 'a Japanese headline with a dash is whole',
    tag: '霧笛 — 港の百年',
    h1: '霧笛 — 港の百年',
    title: '霧笛 — 港の百年',
    lang: 'ja',
  },
  {
    what: 'og:title confirms a headline with a dash',
    tag: 'Ice - and how to leave it | Kelm Post',
    h1: '',
    title: 'Ice - and how to leave it',
    head: '<meta property="og:title" content="Ice - and how to leave it">',
  },
];

testCases(
  TITLES.map(({ what, tag, h1, title, head = '', lang = 'en' }): Case => {
    const heading = h1 === '' ? '' : `<h1>${h1}</h1>`;
    return [what, page(`<main>${heading}${prose(3, 0, lang)}</main>`, { title: tag, head, lang }), { title }];
  }),
);

testCases([
  [
    'the name of the site in an h1 above does not take the place of the h1 of the page',
    page(
      `<header><h1><a href="/">Kelm manual</a></h1></header><div class="body"><h1>Moorings</h1><p>A ring holds nine tons.</p>${prose(3)}</div>`,
      { title: 'Moorings — Kelm manual' },
    ),
    { title: 'Moorings', has: ['A ring holds nine tons.'] },
  ],
  [
    'the title of a page of Doxygen is not that of a section',
    page(
      `<div class="headertitle"><div class="title">Tide Table Module</div></div><div class="contents">${prose(3)}<h1>Usage</h1><h1>Tide Table Tree</h1></div>`,
      { title: 'Kelm: Tide Table Module' },
    ),
    { title: 'Tide Table Module' },
  ],
  [
    'the title in a div is that of the page',
    page(`<div class="title">Reading the gauge</div><div>${prose(3)}<h1>Reading it at night</h1></div>`, {
      title: 'Reading the gauge',
    }),
    { title: 'Reading the gauge' },
  ],
  [
    'the title of a header is that of the page',
    page(
      `<p class="page-title">Ropes and knots of Kelm</p><main>${prose(3)}<h1>Knots of Kelm and their uses</h1></main>`,
      { title: 'Ropes and knots of Kelm | Harbor' },
    ),
    { title: 'Ropes and knots of Kelm' },
  ],
  [
    'the drawn signs between the parts of a name are those of the title',
    page(
      `<main><h1><a href="/">kelm</a><i class="separator"></i><a href="/t">tides</a><i class="separator"></i>read</h1>${prose(3)}</main>`,
      { title: 'kelm::tides::read' },
    ),
    { title: 'kelm::tides::read' },
  ],
  [
    'a path that a heading draws is that of the title',
    page(`<main><h1><span>kelm</span><span class="path-sep"></span><span>quay</span></h1>${prose(3)}</main>`, {
      title: 'kelm/quay',
    }),
    { title: 'kelm/quay' },
  ],
  [
    'words parted by drawn arrows stay apart',
    page(`<main><h1>Kelm<span class="arrow"></span>Tides</h1>${prose(3)}</main>`, { title: 'Kelm Tides' }),
    { title: 'Kelm Tides' },
  ],
]);

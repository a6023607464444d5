import { page, prose, testCases } from './kinds.ts';

testCases([
  [
    'a German headline with a dash is whole, without the name of the site',
    page(`<main><h1>Nebel – eine kurze Geschichte des Horns</h1>${prose(3, 0, 'de')}</main>`, {
      title: 'Nebel – eine kurze Geschichte des Horns | Kelmer Bote',
      lang: 'de',
    }),
    { title: 'Nebel – eine kurze Geschichte des Horns' },
  ],
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

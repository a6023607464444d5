import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const CONTENT: readonly Case[] = [
  [
    'the tip of a Starlight page stays',
    guide(
      '<aside aria-label="Tip" class="starlight-aside starlight-aside--tip"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Tip</p><div class="starlight-aside__content"><p>Grease the hinge twice a year.</p></div></aside>',
    ),
    { has: ['Grease the hinge twice a year.'] },
  ],
  [
    'the topic of a Sphinx page stays',
    guide('<aside class="topic"><p class="topic-title">Why oil</p><p>Gas was too dear on the island.</p></aside>'),
    { has: ['Why oil', 'Gas was too dear on the island.'] },
  ],
  [
    'the footnotes of a Sphinx page stay',
    guide(
      '<p>The lamp is old <a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref">1</a>.</p><aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label">[<a role="doc-backlink" href="#id1">1</a>]</span><p>It was cast in Arn.</p></aside></aside>',
    ),
    { has: ['It was cast in Arn.'] },
  ],
  [
    'a quote of another post in a Discourse thread stays',
    page(
      `<main><h1>Which paint?</h1><div class="topic-body"><article class="boxed"><div class="cooked">${prose(2)}</div></article></div><div class="topic-body"><article class="boxed"><div class="cooked"><aside class="quote no-group" data-username="marta" data-post="1"><div class="title"><img class="avatar" src="/m.png" alt=""> marta:</div><blockquote><p>Does the red one peel?</p></blockquote></aside><p>Only in the first year.</p>${prose(1, 2)}</div></article></div></main>`,
      { title: 'Which paint?' },
    ),
    { has: ['Does the red one peel?', 'Only in the first year.'] },
  ],
  [
    'a box of a book in an aside stays',
    article(
      `${prose(2)}<aside data-type="sidebar"><h5>A word on knots</h5><p>A bowline does not slip.</p></aside>${prose(2, 2)}`,
    ),
    { has: ['A word on knots', 'A bowline does not slip.'] },
  ],
  [
    'a warning in an aside without a class stays in a Japanese article',
    article(`${prose(2, 0, 'ja')}<aside><p>満潮の前に必ず鐘を鳴らすこと。</p></aside>${prose(1, 2, 'ja')}`, {
      lang: 'ja',
      title: '港の手引き',
    }),
    { has: ['満潮の前に必ず鐘を鳴らすこと。'] },
  ],
  [
    'the footer of a section with the source of its figures stays',
    guide(
      '<section><h2>Depths</h2><table><tr><th>Place</th><th>Arms</th></tr><tr><td>Basin</td><td>9</td></tr></table><footer><p>Source: soundings of the council, spring 1990.</p></footer></section>',
    ),
    { has: ['Source: soundings of the council, spring 1990.'] },
  ],
  [
    'the last section of an article in a container of its own stays, with its link',
    article(
      `<div class="body">${prose(5)}</div><div class="end"><h2>Outlook</h2><p>The mole will be longer by a third, so that the bell can be heard from the outer lamp.</p><p><a href="/mole">The plan of the mole and its lamp</a></p></div>`,
    ),
    { has: ['The mole will be longer', 'The plan of the mole'] },
  ],
  [
    'related laws that a part named so states stay',
    guide(
      '<div class="related-laws"><h3>Harbor act</h3><p>Boats pay by their keel, <a href="/act">as the act says</a>, and rafts by their hooks.</p></div>',
    ),
    { has: ['Boats pay by their keel'] },
  ],
  [
    'labels of a list that tell what is in stock stay',
    page(
      `<main><h1>Lamps</h1>${['Sold out', 'Order'].map((label, at) => `<div class="card"><h3><a href="/lamp-${at}">Lamp of brass ${at}</a></h3><p><a href="/lamp-${at}">${label}</a></p></div>`).join('')}</main>`,
    ),
    { has: ['Sold out', 'Order'] },
  ],
];

const FRAME: readonly Case[] = [
  [
    'an aside with teasers of other stories within an article is left out',
    article(
      `${prose(2)}<aside class="related"><h3>Read also</h3><ul><li><a href="/a">The last whale</a></li><li><a href="/b">A school on a raft</a></li></ul></aside>${prose(2, 2)}`,
    ),
    { has: ['faces north'], not: ['The last whale', 'A school on a raft'] },
  ],
  [
    'the footer of an article with tags and links to share is left out',
    article(
      `${prose(4)}<footer class="entry-footer"><span class="tags-links">Tagged <a href="/t/ice" rel="tag">ice</a></span><a href="https://a.example/share">Tweet</a></footer>`,
    ),
    { has: ['faces north'], not: ['Tagged', 'Tweet'] },
  ],
];

testCases([...CONTENT, ...FRAME]);

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
    'a German note in an aside stays',
    guide('<aside class="note"><p>Vorsicht: die Stufen sind glatt.</p></aside>', 'de'),
    { has: ['die Stufen sind glatt'] },
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
    'the author in the footer of a quote stays in an article',
    article(
      `${prose(2)}<blockquote class="blockquote"><p>Ice is a patient guest.</p><footer class="blockquote-footer">Old saying from <cite title="Arn">Arn</cite></footer></blockquote>${prose(2, 2)}`,
    ),
    { has: ['Ice is a patient guest.', 'Old saying from'] },
  ],
  [
    'the author in the footer of a French quote in a figure stays',
    guide(
      '<figure><blockquote><p>La neige écoute.</p></blockquote><footer>— Hélène Marin, gardienne</footer></figure>',
      'fr',
    ),
    { has: ['La neige écoute.', 'Hélène Marin, gardienne'] },
  ],
  [
    'the footer of a section with the source of its figures stays',
    guide(
      '<section><h2>Depths</h2><table><tr><th>Place</th><th>Arms</th></tr><tr><td>Basin</td><td>9</td></tr></table><footer><p>Source: soundings of the council, spring 1990.</p></footer></section>',
    ),
    { has: ['Source: soundings of the council, spring 1990.'] },
  ],
];

const FRAME: readonly Case[] = [
  [
    'an aside with links to other pages is left out',
    page(
      `<aside class="sidebar"><h2>Chapters</h2><ul><li><a href="/1">Knots</a></li><li><a href="/2">Charts</a></li><li><a href="/3">Signals</a></li></ul></aside><main><h1>Kelm</h1>${prose(4)}</main>`,
    ),
    { has: ['faces north'], not: ['Chapters', 'Signals'] },
  ],
  [
    'the footer of a page is left out',
    page(
      `<main><h1>Kelm</h1>${prose(4)}</main><footer><p>Kelm Press, 12 Quay Street. All rights reserved.</p><a href="/imprint">Imprint</a></footer>`,
    ),
    { has: ['faces north'], not: ['Quay Street', 'Imprint'] },
  ],
  [
    'an aside with a newsletter form within an article is left out',
    article(
      `${prose(2)}<aside><h3>Get the harbor post</h3><form><input type="email"><button>Send</button></form></aside>${prose(2, 2)}`,
    ),
    { has: ['faces north', 'could not be heard'], not: ['Get the harbor post'] },
  ],
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

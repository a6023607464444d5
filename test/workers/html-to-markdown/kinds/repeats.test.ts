import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const paragraphs = (lines: readonly string[]) => lines.map((line) => `<p>${line}</p>`).join('\n');
const REFRAIN = 'Heave away, my merry lads, the morning tide is calling';
const LIED = 'Wir ziehen das Netz, wir ziehen das Netz, bis der Morgen uns wieder nach Hause lässt';
const CHAIN = 'Returns the same harbor, so that several calls can be written one after another.';
const FOUND = 'Fixes spelling in the manual and updates the libraries below the server.';

const SHARE =
  '<div class="share"><a href="https://a.example/share">Post on A</a> <a href="https://b.example/share">Pin on B</a></div>';

const CONTENT: readonly Case[] = [
  [
    'the refrain of a shanty stays after each verse',
    page(
      `<article><h1>Morning tide</h1>${paragraphs(['The cook is up, the stove is lit, the captain drinks his tea', REFRAIN, 'The gulls have found the open net and fight for all to see', REFRAIN, 'The rope is coiled, the flag is up, the wind is coming free', REFRAIN])}</article>`,
      { title: 'Morning tide' },
    ),
    { count: ['Heave away', 3] },
  ],
  [
    'the refrain of a German song stays in blocks with line breaks',
    page(
      `<main><h1>Netzlied</h1><div class="lyrics"><div>Der Nebel liegt schwer auf dem Wasser,<br>kein Stern und kein Licht ist zu sehn.</div><div>${LIED}</div><div>Die Möwen sind stumm und die Taue sind nass,<br>wir hören den Wind sich drehn.</div><div>${LIED}</div></div></main>`,
      { lang: 'de', title: 'Netzlied' },
    ),
    { count: ['Wir ziehen das Netz', 2] },
  ],
  [
    'equal descriptions of several methods stay',
    guide(
      ['dredge', 'mark', 'close']
        .map((name, at) => `<h3>${name}()</h3><p>Takes ${at + 2} arguments.</p><p>${CHAIN}</p>`)
        .join(''),
    ),
    { count: ['Returns the same harbor', 3] },
  ],
  [
    'equal entries of a change log stay',
    page(
      `<main><h1>Changes</h1>${prose(2)}<h2>1.2.1</h2><ul><li>${FOUND}</li><li>Adds a table of tides.</li></ul><h2>1.2.0</h2><ul><li>${FOUND}</li></ul></main>`,
      { title: 'Changes' },
    ),
    { count: ['Fixes spelling in the manual', 2] },
  ],
  [
    'equal answers in an interview stay',
    article(
      `${prose(1)}${paragraphs(['Q: Who had the key on the night of the storm?', 'A: I do not remember, and I have told the council so.', 'Q: Who lit the lamp again after midnight?', 'A: I do not remember, and I have told the council so.'])}${prose(1, 3)}`,
    ),
    { count: ['I do not remember, and I have told', 2] },
  ],
  [
    'equal short lines in a row stay in a recipe',
    guide(
      '<h2>Dough</h2><ol><li>Mix flour and water.</li><li>Rest ten minutes.</li><li>Fold it over.</li><li>Fold it over.</li><li>Rest ten minutes.</li></ol>',
    ),
    { count: ['Fold it over.', 2] },
  ],
  [
    'equal definitions of different terms stay',
    guide(
      '<dl><dt>north light</dt><dd>A lamp that is lit from dusk until the last ferry has come in.</dd><dt>mole light</dt><dd>A lamp that is lit from dusk until the last ferry has come in.</dd></dl>',
    ),
    { count: ['A lamp that is lit from dusk', 2] },
  ],
];

const FRAME: readonly Case[] = [
  [
    'a share bar above and below an article is left out',
    article(`${SHARE}${prose(4)}${SHARE}`),
    { has: ['faces north'], not: ['Post on A', 'Pin on B'] },
  ],
  [
    'a menu above and below the content is left out',
    page(
      ['top', 'end']
        .map(
          () =>
            '<ul><li><a href="/">Start</a></li><li><a href="/c">Chart room</a></li><li><a href="/q">Quay</a></li></ul>',
        )
        .join(`<main><h1>Kelm</h1>${prose(4)}</main>`),
    ),
    { has: ['faces north'], not: ['Chart room', 'Quay'] },
  ],
  [
    'an invitation to subscribe between the paragraphs is not written twice',
    article(
      [0, 2, 4]
        .map(
          (at) =>
            `${prose(2, at)}<div class="newsletter-promo"><p>Get the harbor post by mail each week, free.</p><a href="/join">Subscribe</a></div>`,
        )
        .join(''),
    ),
    { has: ['faces north'], not: ['Get the harbor post'] },
  ],
];

testCases([...CONTENT, ...FRAME]);

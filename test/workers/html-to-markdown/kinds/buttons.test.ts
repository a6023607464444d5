import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const CONTENT: readonly Case[] = [
  [
    'the questions of a Bootstrap accordion stay',
    page(
      `<main><h1>Questions</h1>${prose(2)}<div class="accordion"><div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" type="button" data-bs-toggle="collapse" data-bs-target="#q1">When does the ferry leave?</button></h2><div id="q1" class="accordion-collapse collapse"><div class="accordion-body">At six and at nine.</div></div></div></div></main>`,
    ),
    { has: ['When does the ferry leave?', 'At six and at nine.'] },
  ],
  [
    'the questions of a government page stay without the sign of the button',
    page(
      `<main><h1>Permits</h1>${prose(2)}<div class="govuk-accordion"><div class="govuk-accordion__section"><h3><button aria-controls="c1" aria-expanded="false"><span>Who needs a permit</span><span aria-hidden="true">+</span></button></h3><div id="c1"><p>Anyone with a boat.</p></div></div></div></main>`,
    ),
    { has: ['### Who needs a permit\n', 'Anyone with a boat.'] },
  ],
  [
    'the German questions in terms stay',
    guide(
      '<dl><dt><button aria-expanded="false">Wie wird bezahlt?</button></dt><dd>Mit Münzen.</dd><dt><button aria-expanded="false">Wann ist offen?</button></dt><dd>Immer.</dd></dl>',
      'de',
    ),
    { has: ['Wie wird bezahlt?', 'Mit Münzen.', 'Wann ist offen?', 'Immer.'] },
  ],
  [
    'Japanese headings in buttons stay',
    page(
      `<main><h1>質問</h1>${prose(2, 0, 'ja')}<h2><button type="button" aria-expanded="true">船はいつ出ますか</button></h2><div><p>六時です。</p></div></main>`,
      { lang: 'ja', title: '質問' },
    ),
    { has: ['## 船はいつ出ますか', '六時です。'] },
  ],
  [
    'a heading within a button stays',
    page(
      `<main><h1>Questions</h1>${prose(2)}<button aria-expanded="false" aria-controls="a7"><h3>May I bring a dog?</h3></button><div id="a7"><p>On a lead.</p></div></main>`,
    ),
    { has: ['May I bring a dog?', 'On a lead.'] },
  ],
  [
    'an element with the role of a button in a heading stays',
    guide(
      '<h3><span role="button" tabindex="0" aria-expanded="false">How deep is the basin?</span></h3><p>Nine arms.</p>',
    ),
    { has: ['### How deep is the basin?'] },
  ],
  [
    'the heads of a sortable table in a page stay',
    guide(
      '<table><thead><tr><th aria-sort="none"><button type="button">Harbor</button></th><th><button type="button">Depth</button></th></tr></thead><tbody><tr><td>Kelm</td><td>9</td></tr><tr><td>Arn</td><td>4</td></tr></tbody></table>',
    ),
    { has: ['| Harbor | Depth |', '| Arn | 4 |'] },
  ],
  [
    'a cell whose name is a button stays',
    '<table><tr><th>Ship</th><th>Load</th></tr><tr><td><button type="button" class="row-title">Gull</button></td><td>Salt</td></tr><tr><td><button type="button">Tern</button></td><td>Hemp</td></tr></table>',
    { has: ['| Gull | Salt |', '| Tern | Hemp |'] },
  ],
  [
    'a button within a sentence stays',
    guide('<p>Press <button type="button">Save chart</button> and wait for the <button>Done</button> sign.</p>'),
    { has: ['Press Save chart and wait for the Done sign.'] },
  ],
  [
    'a French term with a definition that a button opens stays in its sentence',
    guide(
      '<p>Le bateau attend à <button class="glossary-term" aria-describedby="d1">la marée haute</button> devant le môle.</p>',
      'fr',
    ),
    { has: ['Le bateau attend à la marée haute devant le môle.'] },
  ],
  [
    'a picture that a button enlarges stays',
    article(
      `${prose(2)}<figure><button class="zoom" aria-label="Enlarge"><img src="/lamp.jpg" alt="The lamp on the mole" width="800" height="500"></button><figcaption>The lamp in 1890</figcaption></figure>${prose(2, 2)}`,
    ),
    { has: ['lamp.jpg', 'The lamp in 1890'] },
  ],
];

const FRAME: readonly Case[] = [
  [
    'a toolbar above an article is left out',
    article(
      `<div class="tools"><button>Print</button><button>Larger type</button><button>Listen now</button></div>${prose(4)}`,
    ),
    { has: ['faces north'], not: ['Print', 'Larger type', 'Listen now'] },
  ],
  [
    'the button beside a heading that copies its link is left out',
    guide(
      '<h2>Install <button type="button" class="copy-link" title="Copy link to section">Copy link</button></h2><p>Unpack it.</p>',
    ),
    { has: ['## Install\n', 'Unpack it.'], not: ['Copy link'] },
  ],
  [
    'the button that copies code is left out',
    guide('<div class="code"><button class="copy">Copy</button><pre><code>kelm --help</code></pre></div>'),
    { has: ['kelm --help'], not: ['Copy'] },
  ],
  [
    'the question whether a page helped is left out with its buttons',
    page(
      `<main><h1>Kelm</h1>${prose(4)}<div class="feedback"><button>Yes, thanks</button><button>Not really</button></div></main>`,
    ),
    { has: ['faces north'], not: ['Yes, thanks', 'Not really'] },
  ],
  [
    'buttons to like and to answer a post are left out',
    article(
      `${prose(4)}<p class="actions"><button>Like 12</button> <button>Reply</button> <button>Report abuse</button></p>`,
    ),
    { has: ['faces north'], not: ['Like 12', 'Report abuse'] },
  ],
];

testCases([...CONTENT, ...FRAME]);

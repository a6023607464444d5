import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const CONTENT: readonly Case[] = [
  [
    'the questions of a government page stay without the sign of the button',
    page(
      `<main><h1>Permits</h1>${prose(2)}<div class="govuk-accordion"><div class="govuk-accordion__section"><h3><button aria-controls="c1" aria-expanded="false"><span>Who needs a permit</span><span aria-hidden="true">+</span></button></h3><div id="c1"><p>Anyone with a boat.</p></div></div></div></main>`,
    ),
    { has: ['### Who needs a permit\n', 'Anyone with a boat.'] },
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
    'a cell whose name is a button stays',
    '<table><tr><th>Ship</th><th>Load</th></tr><tr><td><button type="button" class="row-title">Gull</button></td><td>Salt</td></tr><tr><td><button type="button">Tern</button></td><td>Hemp</td></tr></table>',
    { has: ['| Gull | Salt |', '| Tern | Hemp |'] },
  ],
];

const FRAME: readonly Case[] = [
  [
    'buttons to like and to answer a post are left out',
    article(
      `${prose(4)}<p class="actions"><button>Like 12</button> <button>Reply</button> <button>Report abuse</button></p>`,
    ),
    { has: ['faces north'], not: ['Like 12', 'Report abuse'] },
  ],
];

testCases([...CONTENT, ...FRAME]);

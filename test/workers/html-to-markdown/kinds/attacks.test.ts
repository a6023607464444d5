import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const CODE: readonly Case[] = [
  [
    'the language in a toolbar of Crayon is the language of the fence',
    '<div class="crayon-syntax"><div class="crayon-toolbar"><span class="crayon-title"></span><span class="crayon-language">Lua</span></div><div class="crayon-main"><table class="crayon-table"><tr><td class="crayon-nums"><div class="crayon-num">1</div><div class="crayon-num">2</div></td><td class="crayon-code"><div class="crayon-line">local a</div><div class="crayon-line">local b</div></td></tr></table></div></div>',
    { has: ['```lua\nlocal a\nlocal b\n```'], not: ['Lua'] },
  ],
  [
    'the control beside lines of code is not a line of code',
    guide(
      '<div class="code-block"><span class="copy-button">Copy</span><div class="code-line">let a</div><div class="code-line">let b</div></div>',
    ),
    { has: ['```\nlet a\nlet b\n```'], not: ['Copy'] },
  ],
  [
    'a name within a line of code stays, whatever its class is',
    guide(
      '<div class="code-block"><div class="code-line">function <span class="hljs-title">tide</span>()</div><div class="code-line"><span class="title">action</span></div></div>',
    ),
    { has: ['function tide()\naction'] },
  ],
];

const RAISED: readonly Case[] = [
  [
    'text raised by a length',
    guide('<p>10<span style="vertical-align: 5px">7</span> grains</p>'),
    { has: ['10⁷ grains'] },
  ],
  ['text raised by a share', guide('<p>2<span style="vertical-align:35%">10</span> boats</p>'), { has: ['2¹⁰ boats'] }],
  ['text lowered by a length', guide('<p>H<span style="vertical-align:-.3em">2</span>O</p>'), { has: ['H₂O'] }],
  [
    'text raised by Word',
    guide('<p>10<span style="position:relative;top:-3.0pt;mso-text-raise:3.0pt">9</span> waves</p>'),
    { has: ['10⁹ waves'] },
  ],
  [
    'text that is moved by a pixel stays in its line',
    guide('<p>Gate 1<span style="vertical-align:-1px">2</span> and 1<span style="vertical-align:0">3</span></p>'),
    { has: ['Gate 12 and 13'] },
  ],
];

const FORMULAS: readonly Case[] = [
  [
    'a formula of MathJax 4 is read from its source',
    guide(
      '<p>So <mjx-container class="MathJax" jax="CHTML"><mjx-math data-latex="\\frac{1}{2}"><mjx-mfrac data-latex="\\frac{1}{2}"></mjx-mfrac></mjx-math></mjx-container> holds.</p>',
    ),
    { has: ['So $\\frac{1}{2}$ holds.'] },
  ],
  [
    'a displayed drawing of MathJax 4 is read from its source',
    guide(
      '<mjx-container class="MathJax" jax="SVG" display="true"><svg viewBox="0 0 1 1"><g><g data-mml-node="math" data-latex="x^2"><path d="M0"></path></g></g></svg></mjx-container>',
    ),
    { has: ['$$x^2$$'] },
  ],
  [
    'a formula with a readable copy is written once',
    guide(
      '<p>So <mjx-container jax="SVG"><svg><g data-latex="x^2"></g></svg><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container> holds.</p>',
    ),
    { has: ['So $x^2$ holds.'] },
  ],
  [
    'a formula in dollar signs beside an image is not displayed',
    guide('<p>So <img class="tex" alt="$x_1$" src="1.png"> and <img class="latex" alt="\\(y_2\\)" src="2.png"></p>'),
    { has: ['So $x_1$ and $y_2$'] },
  ],
  [
    'a formula in two dollar signs is displayed',
    guide('<p><img class="tex" alt="$$x_1$$" src="1.png"></p><p><img class="tex" alt="\\[y_2\\]" src="2.png"></p>'),
    { has: ['$$x_1$$', '$$y_2$$'] },
  ],
];

const long = prose(6);
const HIDDEN: readonly Case[] = [
  'scale:0',
  'translate:-9999px',
  'translate: 0 -120vh',
  'position:absolute;inset:-9999px auto auto -9999px',
  'content-visibility:hidden',
].map(
  (style): Case => [
    `text with ${style} is hidden`,
    guide(`<p style="${style}">Buy rope.</p>${long}`),
    { not: ['Buy rope'] },
  ],
);
const SHOWN: readonly Case[] = [
  'scale:1',
  'scale:.05 1',
  'translate:-50% -50%',
  'position:absolute;inset:0',
  'inset:-9999px',
  'content-visibility:auto',
].map(
  (style): Case => [
    `text with ${style} is shown`,
    guide(`<p style="${style}">Buy rope.</p>${long}`),
    { has: ['Buy rope'] },
  ],
);

const CELLS: readonly Case[] = [
  [
    'cells made of spans do not run together',
    guide(
      '<div role="table"><div role="row"><span role="columnheader">Day</span><span role="columnheader">Arms</span></div><div role="row"><span role="cell">12</span><span role="cell">34</span></div></div>',
    ),
    { not: ['DayArms', '1234'], has: ['Day', 'Arms', '12', '34'] },
  ],
  [
    'other spans are parts of their line',
    page(`<main>${long}<p>ti<span role="presentation">de</span> 1<span>2</span></p></main>`),
    { has: ['tide 12'] },
  ],
];

const LITERALS: readonly Case[] = [
  ...['Tags', 'Share', 'Comments', 'Kommentare'].map(
    (heading): Case => [
      `the code under the last heading ${heading} of an article stays`,
      article(`${long}<h2>${heading}</h2><p>Write them in a line.</p><pre><code>kelm --mark</code></pre>`),
      { has: [`## ${heading}`, 'kelm --mark'] },
    ],
  ),
  [
    'comments with code are still no part of an article',
    article(
      `${long}<h2>Comments</h2><div class="by"><b>Ann</b> <time>1 May</time></div><p>Try this.</p><pre>kelm --mark</pre>`,
    ),
    { not: ['kelm --mark', 'Try this'] },
  ],
  [
    'a table of links under such a heading is still left out',
    article(`${long}<h2>Most read</h2><table><tr><td><a href="/a">Boats at night</a></td><td>1</td></tr></table>`),
    { not: ['Boats at night'] },
  ],
  ...['popup', 'related-commands', 'tooltip', 'cookie'].map(
    (name): Case => [
      `code in an element of the class ${name} among the content stays`,
      guide(`${long}<div class="${name}"><p>So:</p><pre>kelm --${name}</pre></div>${prose(2, 6)}`),
      { has: [`kelm --${name}`] },
    ],
  ),
];

const BUTTONS: readonly Case[] = [
  [
    'a question whose button only Bootstrap knows stays',
    guide(
      `${long}<button type="button" data-bs-toggle="collapse" data-bs-target="#c">Is there ice?</button><div class="collapse" id="c">From November on.</div>`,
    ),
    { has: ['Is there ice?', 'From November on.'] },
  ],
  [
    'a button in an element with the role of a heading stays',
    guide(
      `${long}<div role="heading" aria-level="3"><button aria-expanded="false">Is there ice?</button></div><div>Yes.</div>`,
    ),
    { has: ['Is there ice?'] },
  ],
  [
    'a button that opens a menu of links is still left out',
    guide(
      `${long}<button data-toggle="dropdown">Choose a version</button><div class="collapse"><a href="/1">Version 1</a></div>`,
    ),
    { not: ['Choose a version'] },
  ],
];

testCases([...LITERALS, ...BUTTONS, ...CODE, ...RAISED, ...FORMULAS, ...HIDDEN, ...SHOWN, ...CELLS]);

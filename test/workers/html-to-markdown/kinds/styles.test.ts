import { article, type Case, guide, page, prose, testCases } from './kinds.ts';

const SECRET = 'Nobody sees this sentence about the third key.';
const hidden = (what: string, style: string, lang: 'en' | 'de' = 'en'): Case => [
  `text is left out if it is ${what}`,
  guide(`<p>Two keys hang here.</p><div style="${style}">${SECRET}</div>`, lang),
  { has: ['Two keys hang here.'], not: ['third key'] },
];

const CASES: readonly Case[] = [
  [
    'lines of a poem with the style pre-line are lines',
    '<div style="white-space:pre-line">The tide goes out\nThe tide comes in</div>',
    { not: ['out The tide'], has: ['The tide goes out', 'The tide comes in'] },
  ],
  [
    'lines of a German letter with the style pre-wrap are lines',
    guide('<p style="margin:0; white-space: pre-wrap;">Liebe Mutter,\ndas Eis ist dick.\nDein Jan</p>', 'de'),
    { has: ['Liebe Mutter,', 'Dein Jan'], not: ['Mutter, das', 'dick. Dein'] },
  ],
  [
    'lines of an address with the style pre are lines',
    '<p><span style="white-space: pre">Quay 12\nKelm</span></p>',
    { not: ['12 Kelm'] },
  ],
  [
    'weight and slant of a Google document are read',
    '<p><span style="font-weight:700">Depth</span><span style="font-weight:400"> is </span><span style="font-style:italic;font-weight:400">not</span><span> width.</span></p>',
    { has: ['**Depth** is *not* width.'] },
  ],
  [
    'the wrapper of a Google document does not make all bold',
    '<b style="font-weight:normal;" id="docs-internal-guid-3c"><p dir="ltr"><span style="font-weight:400">Low water at nine.</span></p><p dir="ltr"><span style="font-weight:400">High water at three.</span></p></b>',
    { has: ['Low water at nine.', 'High water at three.'], not: ['*'] },
  ],
  [
    'a strong element with the weight 400 is not bold',
    '<p>The <strong style="font-weight:400">plain</strong> word.</p>',
    { has: ['The plain word.'] },
  ],
  [
    'an upright em element is not slanted',
    '<p>An <em style="font-style: normal">upright</em> word.</p>',
    { has: ['An upright word.'] },
  ],
  [
    'French words with the weight bold in a span are bold',
    guide('<p>Fermez <span style="color:#c00;font-weight: bold">la vanne</span> avant midi.</p>', 'fr'),
    { has: ['Fermez **la vanne** avant midi.'] },
  ],
  [
    'spans with the display of blocks are separate',
    '<div><span style="display:block">First watch</span><span style="display:block">Second watch</span></div>',
    { not: ['watchSecond', 'watch Second'] },
  ],
  hidden('at opacity 0', 'opacity: 0'),
  hidden('off-screen to the left', 'position:absolute; left:-9999px', 'de'),
  hidden('invisible', 'visibility:hidden'),
  hidden('hidden from Outlook', 'mso-hide:all;max-height:0;overflow:hidden'),
  [
    'the preview text of a mail is left out',
    page(
      `<div style="display:none;font-size:1px;color:#fff;line-height:1px;max-height:0px;max-width:0px;opacity:0;overflow:hidden">Tides for this week inside</div><main><h1>Kelm</h1>${prose(3)}</main>`,
    ),
    { has: ['faces north'], not: ['Tides for this week inside'] },
  ],
  [
    'a page whose whole content is at opacity 0 keeps it',
    page(`<main style="opacity:0"><h1>Kelm</h1>${prose(6)}</main>`),
    { has: ['faces north', 'customs house'] },
  ],
  [
    'a button that only Outlook hides is read',
    '<div><!--[if mso]><v:rect href="https://k.example/in"></v:rect><![endif]--><a href="https://k.example/in" style="mso-hide:all;padding:12px">Rent a berth</a></div>',
    { has: ['[Rent a berth](https://k.example/in)'] },
  ],
  [
    'the large first letter of a word is not parted from it',
    '<p><span style="float:left;display:block;font-size:3em">T</span>he quay is wet.</p>',
    { has: ['The quay is wet.'] },
  ],
  [
    'a large first letter with its quotation mark is not parted',
    '<p><b class="cap" style="display: block; float: left">“A</b>t night it freezes.</p>',
    { has: ['t night it freezes.'], not: ['\n\nt night'] },
  ],
  [
    'a large first letter of an article is not parted',
    article(
      `<p><span class="drop" style="display:inline-block;float:left">W</span>hen the tide is out, the hull lies on sand.</p>${prose(3)}`,
    ),
    { has: ['When the tide is out'] },
  ],
  [
    'a block in a line without a float stays on its own line',
    '<p>Kelm<span style="display:block">B</span>erth</p>',
    { has: ['Kelm\n\nB\n\nerth'] },
  ],
];

testCases(CASES);

import { article, type Case, guide, prose, testCases } from './kinds.ts';

const CASES: readonly Case[] = [
  [
    'an AMP video is a link',
    article(
      `${prose(2)}<amp-video src="https://a.example/ferry.mp4" width="640" height="360" controls></amp-video>${prose(2, 2)}`,
    ),
    { has: ['https://a.example/ferry.mp4'] },
  ],
  [
    'a player in a box of height 0 with a padding stays',
    guide(
      '<div style="position:relative;height:0;padding-bottom:56.25%;overflow:hidden"><iframe style="position:absolute;top:0" src="https://www.youtube.com/embed/pAd56_25xyz" title="Hauling out"></iframe></div>',
    ),
    { has: ['pAd56_25xyz', 'Hauling out'] },
  ],
  [
    'a hidden frame that counts visitors is left out',
    guide(
      '<p>Go on.</p><iframe src="https://count.example/ns.html?id=GTM-1" height="0" width="0" style="display:none;visibility:hidden"></iframe>',
    ),
    { has: ['Go on.'], not: ['count.example'] },
  ],
  [
    'the copy of a lazy picture before it is left out',
    '<p><noscript><img src="/quay.jpg" alt="Quay"></noscript><img class="lazyload" data-src="/quay.jpg" alt="Quay">',
    { count: ['quay.jpg', 1] },
  ],
  [
    'the copy of a lazy picture in a picture element is left out',
    '<picture><source data-srcset="/quay.webp 900w"><img data-src="/quay.jpg" alt="Quay"></picture><noscript><picture><img src="/quay.jpg" alt="Quay"></picture></noscript>',
    { count: ['![Quay]', 1] },
  ],
  [
    'the copy of a lazy picture in a smaller size is left out',
    '<p><img src="data:image/gif;base64,R0" data-lazy-src="/quay-1200x800.jpg"><noscript><img src="/quay-600x400.jpg"></noscript></p>',
    { count: ['quay', 1] },
  ],
  [
    'another picture in a noscript element of a short page stays',
    '<img src="/quay.jpg" alt="Quay"><noscript><img src="/mole.jpg" alt="Mole"></noscript>',
    { has: ['quay.jpg', 'mole.jpg'] },
  ],
  [
    'a picture of a character is the character',
    '<p>Ice <img src="https://s.example/2744.png" alt="❄️"> in March <img class="wp-smiley" src="/s.gif" alt=":-)">.</p>',
    { has: ['Ice ❄️ in March :-).'], not: ['png', 'gif'] },
  ],
  [
    'a picture of a flag is the flag',
    '<p><img alt="🇳🇴" src="/no.svg"> Norway and <img alt="👩‍🚀" class="x" src="/w.svg"></p>',
    { has: ['🇳🇴 Norway and 👩‍🚀'] },
  ],
  [
    'a picture of a named emoji is its name',
    '<p>Done <img class="emoji" title=":tada:" alt=":tada:" src="/t.png" width="20">!</p>',
    { has: ['Done :tada:!'] },
  ],
  [
    'an element that is a picture by its role and style is a picture',
    '<div role="img" aria-label="Chart of the bay" style="background: url(\'/bay.png\') no-repeat"></div>',
    { has: ['![Chart of the bay](https://example.org/bay.png)'] },
  ],
  [
    'an element that is a picture by its role is its words',
    guide('<div class="map" role="img" aria-label="Map of the moles"><div></div></div>'),
    { has: ['Map of the moles'] },
  ],
  [
    'a picture by role with text of its own is that text',
    '<p><span role="img" aria-label="boat">⛵</span> Kelm</p>',
    { has: ['⛵ Kelm'], not: ['boat'] },
  ],
  [
    'a color to choose is no picture',
    '<a href="/red"><span role="img" aria-label="Red" style="background-image:url(/red.jpg)"></span> Choose</a>',
    { not: ['red.jpg'] },
  ],
];

testCases(CASES);

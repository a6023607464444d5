import { article, type Case, guide, prose, testCases } from './kinds.ts';

const CASES: readonly Case[] = [
  [
    'the picture of data-original replaces its small preview',
    '<img src="https://c.example/thumb/mole.jpg?quality=1&amp;w=16" data-original="https://c.example/mole.jpg" class="lazy" alt="Mole">',
    { has: ['https://c.example/mole.jpg'], not: ['thumb'] },
  ],
  [
    'the picture of data-srcset replaces a blurred preview',
    '<img class="lazyload blur-up" src="https://c.example/lqip/quay.jpg?w=24" data-srcset="https://c.example/quay-400.jpg 400w, https://c.example/quay-1600.jpg 1600w" alt="Quay">',
    { not: ['lqip'], oneOf: [['quay-1600.jpg', 'quay-400.jpg']] },
  ],
  [
    'the picture of data-lazy-src in a WordPress article replaces its placeholder',
    article(
      `${prose(2)}<figure class="wp-block-image"><img src="https://c.example/placeholder.gif" data-lazy-src="https://c.example/uploads/horn.jpg" alt="The horn" width="900" height="600"></figure>${prose(2, 2)}`,
    ),
    { has: ['uploads/horn.jpg'], not: ['placeholder.gif'] },
  ],
  [
    'a preview of a Medium picture is replaced by that of its noscript element',
    article(
      `${prose(2)}<figure><div><img src="https://c.example/max/60/raft.png?q=20" alt="" width="60" height="40"><noscript><img src="https://c.example/max/1400/raft.png" alt="Raft" width="1400" height="900"></noscript></div></figure>${prose(2, 2)}`,
    ),
    { has: ['max/1400/raft.png'], not: ['max/60/raft.png'] },
  ],
  [
    'an AMP picture in an article stays',
    article(
      `${prose(2)}<amp-img src="https://a.example/ice.jpg" alt="Ice" width="900" height="600" layout="responsive"></amp-img>${prose(2, 2)}`,
    ),
    { has: ['![Ice](https://a.example/ice.jpg)'] },
  ],
  [
    'an AMP animation stays',
    '<p>Look:</p><amp-anim src="https://a.example/wave.gif" alt="Wave" width="9" height="9"></amp-anim>',
    { has: ['https://a.example/wave.gif'] },
  ],
  [
    'an AMP video is a link',
    article(
      `${prose(2)}<amp-video src="https://a.example/ferry.mp4" width="640" height="360" controls></amp-video>${prose(2, 2)}`,
    ),
    { has: ['https://a.example/ferry.mp4'] },
  ],
  [
    'an AMP player of YouTube is a link',
    article(`${prose(2)}<amp-youtube data-videoid="Kq7f_9ZabcD" width="480" height="270"></amp-youtube>${prose(2, 2)}`),
    { has: ['Kq7f_9ZabcD'] },
  ],
  [
    'a player in a box of height 0 with a padding stays',
    guide(
      '<div style="position:relative;height:0;padding-bottom:56.25%;overflow:hidden"><iframe style="position:absolute;top:0" src="https://www.youtube.com/embed/pAd56_25xyz" title="Hauling out"></iframe></div>',
    ),
    { has: ['pAd56_25xyz', 'Hauling out'] },
  ],
  [
    'a Vimeo player without a title in a page is a link',
    guide('<p>See the launch:</p><iframe src="https://player.vimeo.com/video/76979871" width="640"></iframe>'),
    { has: ['vimeo.com', '76979871'] },
  ],
  [
    'a player of YouTube without cookies in a German page is a link',
    guide(
      '<figure><iframe loading="lazy" src="https://www.youtube-nocookie.com/embed/Zz_19aBcDeF" title="Das Horn im Nebel"></iframe></figure>',
      'de',
    ),
    { has: ['Zz_19aBcDeF', 'Das Horn im Nebel'] },
  ],
  [
    'a framed chart with a title is a link',
    guide('<iframe title="Depths since 1950" src="https://charts.example/embed/42" height="400"></iframe>'),
    { has: ['[Depths since 1950](https://charts.example/embed/42)'] },
  ],
  [
    'a hidden frame that counts visitors is left out',
    guide(
      '<p>Go on.</p><iframe src="https://count.example/ns.html?id=GTM-1" height="0" width="0" style="display:none;visibility:hidden"></iframe>',
    ),
    { has: ['Go on.'], not: ['count.example'] },
  ],
  [
    'a picture with one good address keeps it',
    '<img src="https://c.example/real.jpg?w=1200" srcset="https://c.example/real.jpg?w=600 600w" alt="Real">',
    { has: ['![Real](https://c.example/real.jpg'] },
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

import test from 'ava';
import { toMarkdown } from '../to-markdown.ts';

const CASES: readonly (readonly [what: string, html: string, markdown: string])[] = [
  ['an image with its title', '<p><img src=a.png alt="x  [y]" title=t>', '![x \\[y\\]](a.png "t")'],
  [
    'images without an address or with a data URL become their alternative text',
    '<p><img alt=a> <img src="" alt=b> <img src="data:image/png;base64,AA" alt=c> <img src=mailto:x alt=d>',
    'a b c d',
  ],
  ['a picture becomes its image', '<picture><source srcset=b.webp><img src=a.jpg alt=A></picture>', '![A](a.jpg)'],
  [
    'videos and audio with controls become links',
    '<p><video src=v.mp4 controls>old browser</video> <audio controls><source src=a.mp3>old</audio>',
    '[video](v.mp4) [audio](a.mp3)',
  ],
  [
    'the link of a video has its label as text',
    '<video src=v.mp4 aria-label="How [it] works"></video>',
    '[How \\[it\\] works](v.mp4)',
  ],
  [
    'images and animations of AMP',
    '<p>See <amp-img src=a.png alt=A></amp-img> <amp-anim src=a.gif alt=B><noscript>x</noscript></amp-anim>.</p>',
    'See ![A](a.png) ![B](a.gif).',
  ],
  ['a picture without an image', '<picture><source srcset="t.jpg 20w, b.jpg 800w"></picture>', '![](b.jpg)'],
  ['a picture without an address', '<p>a<picture><source type=x></picture></p>', 'a'],
  [
    'a video with a picture before it plays',
    '<video poster=p.jpg><source src=a.webm><source src=a.mp4></video>',
    '[video](a.webm)',
  ],
  [
    'a late video',
    '<video controls data-src=a.mp4></video><p><amp-video controls src=b.mp4></amp-video>',
    '[video](a.mp4)\n\n[video](b.mp4)',
  ],
  ['an animation with a picture', '<p>a<video poster=p.jpg muted loop src=a.mp4></video>', 'a'],
  [
    'videos in the background, without an address or in links are dropped',
    '<p>a<video src=v.mp4 autoplay loop muted></video><video controls>x</video><a href=x>b<video src=v.mp4 controls></video></a>',
    'a[b](x)',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));

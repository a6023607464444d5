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
    'videos in the background, without an address or in links are dropped',
    '<p>a<video src=v.mp4 autoplay loop muted></video><video controls>x</video><a href=x>b<video src=v.mp4 controls></video></a>',
    'a[b](x)',
  ],
];

for (const [what, html, markdown] of CASES) test(what, (t) => t.is(toMarkdown(html), markdown));

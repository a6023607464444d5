import test from 'ava';
import { isTrackingPixel, restoreImage } from '../../../../workers/html-to-markdown/page/images.ts';
import { bodyOf, elementIn } from './pages.ts';

function sourceOf(html: string): string | null {
  const image = elementIn(bodyOf(html), 'img');
  restoreImage(image);
  return image.getAttribute('src');
}

const RESTORED: readonly (readonly [string, string])[] = [
  ['data-src', '<img data-src=a.png>'],
  ['data-original', '<img src="" data-original=a.png>'],
  ['data-lazy-src', '<img src=about:blank data-lazy-src=" a.png ">'],
  ['data-srcset', '<img data-srcset="a.png 1x, b.png 2x">'],
  ['data-lazy-srcset', '<img data-lazy-srcset="a.png, b.png 2x">'],
  ['srcset', '<img srcset="\n a.png 320w,\n b.png 640w">'],
  ['srcset of one address', '<img srcset=a.png>'],
  ['the source of a picture', '<picture><source srcset="a.png 1x"><img></picture>'],
  ['the late source of a picture', '<picture><source data-srcset="a.png 1x"><img></picture>'],
  [
    'the first source that has one',
    '<picture><source type=x> <source srcset=a.png><source srcset=b.png><img></picture>',
  ],
  ['the noscript part behind it', '<img>\n <noscript><p><img src=a.png></noscript>'],
  ['an image in a noscript part that is not late itself', '<img><noscript><img src=data:,><img src=a.png></noscript>'],
];

for (const [where, html] of RESTORED) {
  test(`the address of a late image is found in ${where}`, (t) => {
    t.is(sourceOf(html), 'a.png');
  });
}

for (const placeholder of [
  'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  '/img/placeholder.png',
  'blank.gif',
  'http://h.example/spacer.gif?v=1',
  '/i/lazy_loading.svg',
  '/1x1.png',
]) {
  test(`${placeholder} is a placeholder of a late image`, (t) => {
    t.is(sourceOf(`<img src="${placeholder}" data-src=a.png>`), 'a.png');
    t.is(sourceOf(`<img src=b.png data-src="${placeholder}">`), 'b.png');
  });
}

for (const source of ['a.png', '/blank/a.png', 'http://h.example/placeholder/a.png', 'unblank.png']) {
  test(`an image with a real address keeps it: ${source}`, (t) => {
    t.is(sourceOf(`<img src=${source} data-src=b.png srcset=c.png>`), source);
  });
}

test('the image’s own attributes come first, then the picture around it, then the noscript part after it', (t) => {
  const picture = (image: string) =>
    `<picture><source srcset=b.png>${image}<noscript><img src=c.png></noscript></picture>`;
  t.is(sourceOf(picture('<img data-src=a.png>')), 'a.png');
  t.is(sourceOf(picture('<img>')), 'b.png');
});

test('data-src comes first if several attributes have an address', (t) => {
  t.is(sourceOf('<img srcset=d.png data-srcset=c.png data-original=b.png data-src=a.png>'), 'a.png');
});

test('a placeholder address is ignored', (t) => {
  t.is(sourceOf('<img data-src=data:, data-original="" data-lazy=a.png>'), 'a.png');
  t.is(sourceOf('<img data-srcset="data:, 1x" srcset="a.png 1x">'), 'a.png');
});

test('an image without another address stays unchanged', (t) => {
  t.is(sourceOf('<img src=data:,>'), 'data:,');
  t.is(sourceOf('<img alt=a>'), null);
});

test('a noscript part that does not follow directly is ignored', (t) => {
  t.is(sourceOf('<img> text <noscript><img src=a.png></noscript>'), null);
  t.is(sourceOf('<img><b></b><noscript><img src=a.png></noscript>'), null);
});

test('a source outside a picture is ignored', (t) => {
  t.is(sourceOf('<div><source srcset=a.png><img></div>'), null);
});

for (const [size, isPixel] of [
  ['width=1 height=1', true],
  ['width=0 height=0', true],
  ['width="1px" height=" 1 "', true],
  ['width=1', false],
  ['height=1', false],
  ['width=1 height=600', false],
  ['width=10 height=10', false],
  ['width=100% height=1', false],
  ['width="" height=""', false],
  ['', false],
] as const) {
  test(`an image with ${size || 'no size'} is ${isPixel ? 'a' : 'no'} tracking pixel`, (t) => {
    t.is(isTrackingPixel(elementIn(bodyOf(`<img src=a.png ${size}>`), 'img')), isPixel);
  });
}

test('an address with spaces is not a srcset', (t) => {
  t.is(sourceOf('<img data-src="my photo 2.jpg">'), 'my photo 2.jpg');
  t.is(sourceOf('<img srcset="data:image/gif;base64,AA== 1x, a.png 2x">'), 'a.png');
});

test('a late image of one pixel is not a tracking pixel', (t) => {
  t.false(isTrackingPixel(elementIn(bodyOf('<img width=1 height=1 data-src=a.png>'), 'img')));
});

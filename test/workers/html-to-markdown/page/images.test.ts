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

const PREVIEWS: readonly (readonly [what: string, html: string])[] = [
  ['a narrow and blurred copy', '<img class=lazyload src="/b.png?w=20&blur=50" data-src=a.png>'],
  ['a blurred copy', '<img src="/b.png?blur=200" data-src=a.png>'],
  ['a coarse copy', '<img src="/b.png?w=900&q=10" data-original=a.png>'],
  ['a tiny copy by its name', '<img src=/b-32x21.png data-lazy-src=a.png>'],
  ['a tiny copy by its path', '<img src=/upload/w_30,e_blur:1000/b.png data-src=a.png>'],
  ['a copy with a name of previews', '<img src=/b.lqip.png data-src=a.png>'],
  ['a tiny copy beside a srcset', '<img src="/b.png?w=40" srcset="b.png 40w, a.png 1200w, c.png 4000w">'],
  ['a tiny copy beside a late srcset', '<img src="/b.png?w=40" data-srcset="b.png 40w, a.png 1200w, c.png 600w">'],
  ['a tiny copy in a picture', '<picture><source srcset="b.png 40w, a.png 900w"><img src="/b.png?w=40"></picture>'],
  ['a tiny copy before a noscript part', '<img src="/b.png?w=40"><noscript><img src=a.png></noscript>'],
  ['an image with a class of late ones', '<img class="photo lazy" src=/b.png data-src=a.png>'],
  ['a data address beside a srcset', '<img src="data:image/svg+xml,x" srcset="b.png 320w, a.png 1600w">'],
  ['a gray image', '<img src=/img/grey.gif data-src=a.png>'],
];

for (const [what, html] of PREVIEWS)
  test(`the full image is found instead of ${what}`, (t) => t.is(sourceOf(html), 'a.png'));

test('the wider address of the same image is found', (t) => {
  t.is(sourceOf('<img src="/a.png?w=300" data-src="/a.png?w=1200">'), '/a.png?w=1200');
  t.is(sourceOf('<img src=/a-300x200.png data-src=/a-1200x800.png>'), '/a-1200x800.png');
  t.is(sourceOf('<img src="/a.png?w=1200" data-src="/a.png?w=300">'), '/a.png?w=1200');
  t.is(sourceOf('<img src="/a.png?w=300" data-src="/b.png?w=1200">'), '/a.png?w=300');
});

for (const html of [
  '<img src=/a.png srcset="/a.png 400w, /b.png 1200w">',
  '<img src="/a.png" class=lazyload data-src="/b_{width}x.png">',
  '<img src=/a.png class=lazyloaded data-src=/b.png>',
  '<img src=/a.png class=lazy data-url=/page>',
  '<img src=/a.png loading=lazy>',
]) {
  test(`a full image stays: ${html}`, (t) => t.is(sourceOf(html), '/a.png'));
}

test('a small picture stays', (t) => {
  const avatar = '<img src="/a.png?w=48" srcset="/a.png?w=48 1x, /a.png?w=96 2x">';
  t.is(sourceOf(avatar), '/a.png?w=48');
  t.is(sourceOf('<img src="/a.png?w=48" srcset="/a.png?w=48 48w, /a.png?w=96 96w">'), '/a.png?w=48');
});

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

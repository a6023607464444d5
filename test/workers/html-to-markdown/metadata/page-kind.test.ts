import test from 'ava';
import { readAbout } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';

for (const [path, kind] of [
  ['/products/hemp-rope', 'product'],
  ['/en/product/1082/', 'product'],
  ['/dp/B0D1XD1ZV3?ref=a', 'product'],
  ['/products', 'other'],
  ['/products/ropes/hemp', 'other'],
  ['/blog/products-that-we-like-most-of-all-this-year', 'article'],
] as const) {
  test(`a page at ${path} that states no kind is of the kind ${kind}`, (t) => {
    const { document } = parseHtml(`<link rel=canonical href="https://shop.example${path}"><body>Hemp`);
    t.is(readAbout(document).kind, kind);
  });
}

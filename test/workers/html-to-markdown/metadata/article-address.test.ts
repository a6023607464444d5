import test from 'ava';
import { isArticleAddress } from '../../../../workers/html-to-markdown/metadata/article-address.ts';

const ARTICLES = [
  'https://example.com/blog/how-to-open-a-gate',
  'https://example.com/News/local/a-toll-for-all?from=home#top',
  'https://example.com/2024/05/the-old-toll-house/',
  'https://example.com/why-the-keeper-of-the-gate-left',
  '/stories/one-day-at-the-gate',
];
for (const address of ARTICLES) {
  test(`${address} is the address of an article`, (t) => {
    t.true(isArticleAddress(address));
  });
}

const OTHERS = [
  '',
  'https://a-host-with-many-hyphens-in-it.example.com/',
  'https://example.com/blog/',
  'https://example.com/blog/open-gate',
  'https://example.com/how-to-open-a-gate',
  'https://example.com/products/a-very-strong-gate-made-of-oak',
  'https://example.com/collections/gates-for-roads-of-all-kinds',
  'https://example.com/blog/category/gates-for-all-roads',
  'https://example.com/view?title=why-the-keeper-of-the-gate-left',
];
for (const address of OTHERS) {
  test(`${address} is not the address of an article`, (t) => {
    t.false(isArticleAddress(address));
  });
}

test('only the first 500 characters of an address are read', (t) => {
  t.false(isArticleAddress(`https://example.com/${'a'.repeat(500)}-b-c-d-e-f-g`));
});

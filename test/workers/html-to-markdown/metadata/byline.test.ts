import test from 'ava';
import { readAbout } from '../../../../workers/html-to-markdown/metadata/metadata.ts';
import { parseHtml } from '../../../../workers/html-to-markdown/parse/parse-html.ts';

function bylineOf(html: string): string | null {
  return readAbout(parseHtml(`<!doctype html><html><head></head><body>${html}`).document).metadata.byline;
}

const meta = (name: string, content: string) => `<meta name="${name}" content="${content}">`;
const ld = (data: unknown) => `<script type="application/ld+json">${JSON.stringify(data)}</script>`;
const article = '<meta property="og:type" content="article">';
const thread = '<div itemscope itemtype="https://schema.org/DiscussionForumPosting">';
const rel = '<a rel="author" href="/r">Rel Author</a>';
const byClass = '<h1>Gates</h1><p class="byline">By Class Author</p>';

const BYLINES: readonly (readonly [string, string, string | null])[] = [
  [
    'JSON-LD before meta',
    meta('author', 'Meta') + ld({ '@type': 'Article', author: { name: 'Ada Lane' } }),
    'Ada Lane',
  ],
  ['meta before links', `${article}${rel}${meta('author', 'Meta Author')}`, 'Meta Author'],
  ['links before classes', `${article}${rel}<p class="byline">Class Author</p>`, 'Rel Author'],
  ['a labeled name before other names', `${article}${rel}${byClass}`, 'Class Author'],
  [
    'several names, each once',
    ld({ '@type': 'Article', author: ['Ada Lane', { name: 'Bo Kerr' }, 'ADA LANE'] }),
    'Ada Lane, Bo Kerr',
  ],
  ['"Written by" of a preview', meta('twitter:label1', 'Written by') + meta('twitter:data1', 'Ada Lane'), 'Ada Lane'],
  ['not another label of a preview', meta('twitter:label1', 'Price') + meta('twitter:data1', 'Ada Lane'), null],
  ['not a URL', meta('article:author', 'https://social.example/ada') + meta('author', '@ada'), null],
  [
    'the name that a URL links to',
    meta('author', 'https://social.example/ada') + meta('parsely-author', 'Ada Lane'),
    'Ada Lane',
  ],
  ['not an email address', meta('author', 'ada@toll.example'), null],
  ['not a system account', meta('author', 'admin'), null],
  ['not the name of the site', meta('og:site_name', 'Toll News') + meta('author', 'Toll news'), null],
  ['not the name of the site in the title', `<title>Gates | Toll News</title>${meta('author', 'Toll News')}`, null],
  [
    'a person who is the site',
    meta('og:site_name', 'Ada') + ld({ '@type': 'Article', author: { '@type': 'Person', name: 'Ada' } }),
    'Ada',
  ],
  [
    'not an organization if there is a person',
    ld({ '@type': 'Article', author: [{ '@type': 'Organization', name: 'Toll Ltd' }, { name: 'Ada Lane' }] }),
    'Ada Lane',
  ],
  [
    'an organization of an article without a person',
    ld({ '@type': 'NewsArticle', author: { '@type': 'Organization', name: 'Toll Agency' } }),
    'Toll Agency',
  ],
  ['not a label', meta('author', 'By Ada Lane'), 'Ada Lane'],
  ['not a text of a hundred characters', meta('author', 'Ada and '.repeat(20)), null],
  ['not an unlabeled name on a page without an article', '<p class="byline">Ada Lane</p>', null],
  ['a labeled name on a page without an article', '<h1>Gates</h1><p>By <a href="/ada">Ada Lane</a></p>', 'Ada Lane'],
  ['a name below the subtitle', '<h1>Gates</h1><h2>Of the toll</h2><p>By Ada Lane</p>', 'Ada Lane'],
  ['a mark above the title', `${article}<p class="author">Ada Lane</p><h1>Gates</h1>`, 'Ada Lane'],
  [
    'a labeled mark far below the title',
    `${article}<h1>G</h1>${'<p>x'.repeat(40)}<p class="author">By Ada Lane`,
    'Ada Lane',
  ],
  ['an account that a meta element calls the author', meta('author', 'toll_fan7'), 'toll_fan7'],
  ['not a word that only begins like a label', '<h1>Gates</h1><p>By the river stands an old gate.</p>', null],
  ['not a sentence', `${article}<p class="author">About the author and his many books about gates</p>`, null],
  [
    'a name without date and role',
    `${article}<h1>G</h1><p>Written by Ada Lane, Senior Editor | May 2, 2020</p>`,
    'Ada Lane',
  ],
  [
    'names joined in the text',
    `${article}<h1>G</h1><p>By <a>Ada Lane</a>, <a>Bo Kerr</a> and <a>Cy Moor</a></p>`,
    'Ada Lane, Bo Kerr and Cy Moor',
  ],
  ['the text after a label', `${article}<h1>G</h1><div><p>Written by</p><p>Ada Lane</p></div><p>Next</p>`, 'Ada Lane'],
  [
    'not an author in a list',
    `${article}${['A', 'B', 'C', 'D'].map((name) => `<a rel="author">${name}da Lane</a>`).join('')}`,
    null,
  ],
  ['not the reviewer of a product', `${ld({ '@type': 'Product', name: 'Gate' })}<p class="author">Ada Lane</p>`, null],
  [
    'not an author on the home page of a site',
    `<link rel="canonical" href="https://toll.example/">${meta('author', 'Ada Lane')}`,
    null,
  ],
  ['not the author of a collection', ld({ '@type': 'CollectionPage', author: 'Ada Lane' }), null],
  [
    'the author of the first post of a thread',
    `${thread}<span itemprop="author"><a>toll_fan7</a> 12 posts</span><span itemprop="author">b</span>`,
    'toll_fan7',
  ],
  [
    'the name within an author item',
    `${thread}<span itemprop="author" itemscope>T <b itemprop="name">toll_fan7</b></span>`,
    'toll_fan7',
  ],
  [
    'the author of a thread, by class',
    '<link rel="canonical" href="https://toll.example/threads/12"><i class="username">me</i><h1>G</h1><a class="username">toll_fan7</a>',
    'toll_fan7',
  ],
  [
    'the author of a thread, by attribute',
    '<link rel="canonical" href="https://toll.example/topic/12-g"><h1>G</h1><article data-author="toll_fan7">',
    'toll_fan7',
  ],
];

for (const [what, html, byline] of BYLINES) test(`byline: ${what}`, (t) => t.is(bylineOf(html), byline));

test('a byline has at most 1,000 code units', (t) => {
  const author = Array.from({ length: 20 }, (_, index) => `${'Name '.repeat(18)}${index}`);
  const byline = bylineOf(ld({ '@type': 'Article', author }));
  t.true(byline !== null && byline.length <= 1000);
});

test('adversarial input is read in linear time', (t) => {
  const long = (piece: string) => piece.repeat(200_000 / piece.length);
  for (const piece of ['_', 'user_', ' ', '1.', 'by ', 'a@', '-', 'author ']) {
    const html = `${article}<h1>G</h1><p class="author ${long(piece)}" itemprop="author">${long(piece)}</p>${meta('author', long(piece))}`;
    t.notThrows(() => bylineOf(html));
  }
});
